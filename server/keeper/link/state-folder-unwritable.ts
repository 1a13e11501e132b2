// Error for a start that fails only because the state folder's disk is not writable, so that the process can
// be started without a keeper.
import { SpawnError } from '../../host/spawn.ts';

export class StateFolderUnwritable extends SpawnError {}
