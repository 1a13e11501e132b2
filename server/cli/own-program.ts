// The command line with which other programs start this program.
import { realpathSync } from 'node:fs';

/** Returns the absolute paths of Node and of this program, since an agent's PATH may differ. */
export const ownProgram = (): readonly string[] => [process.execPath, realpathSync(process.argv[1] ?? '')];
