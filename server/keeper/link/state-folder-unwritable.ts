// Error for a start that fails only because the keeper cannot create the log, so that the process can be started
// without a keeper.
import { SpawnError } from '../../host/spawn.ts';

export class StateFolderUnwritable extends SpawnError {}
