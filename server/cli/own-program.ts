// This program, as another one starts it.
import { realpathSync } from 'node:fs';

/** Returns Node and the program's file: neither depends on the PATH of an agent. */
export const ownProgram = (): readonly string[] => [process.execPath, realpathSync(process.argv[1] ?? '')];
