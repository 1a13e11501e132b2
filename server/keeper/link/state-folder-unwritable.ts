// Error of a start that only the disk of the state folder prevents: the process can run without a keeper.
import { SpawnError } from '../../host/spawn.ts';

export class StateFolderUnwritable extends SpawnError {}
