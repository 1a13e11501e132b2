// Reasons why output is not recorded, as shown to people.
import { withRemedy } from '../host/starved.ts';

export const DISK_IS_LOW =
  'Output is not recorded: the disk of the state folder is nearly full. Free some space, or remove recordings with exec-console history rm.';

const FULL = 'the disk is full; free some space, or remove recordings with exec-console history rm';

export function notRecorded(error: NodeJS.ErrnoException): string {
  const why = error.code === 'ENOSPC' ? FULL : withRemedy(error);
  return `Output is not recorded: ${why}. Processes keep running, and their newest output stays in memory.`;
}
