// Reasons why output is not recorded, as shown to people.

export const DISK_IS_LOW =
  'Output is not recorded: the disk of the state folder is nearly full. Free some space, or delete recordings with exec-console history rm.';

const FULL = 'the disk is full; free some space, or delete recordings with exec-console history rm';

export function notRecorded({ code, message }: NodeJS.ErrnoException): string {
  const why = code === 'ENOSPC' ? FULL : message;
  return `Output is not recorded: ${why}. Processes keep running, and their newest output stays in memory.`;
}
