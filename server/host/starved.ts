// Names the resource that is missing when the system cannot start a process, and the remedy.
import { closeSync, openSync } from 'node:fs';

/** Error for exhausted resources; the same request works once some are free again. */
export class Starved extends Error {}

/** Maximum number of descriptors that the gateway needs briefly for a start. */
const START_DESCRIPTORS = 12;

const DESCRIPTORS = 'the gateway has too many files open (raise its limit, ulimit -n, or end some processes)';
const NO_PROCESS =
  "the limit on processes is reached (raise the user's limit with ulimit -u or the container's limit, or end some processes)";

const REASONS: { readonly [code: string]: string } = {
  EMFILE: DESCRIPTORS,
  ENFILE: 'the system has too many files open (raise fs.file-max, or end some processes)',
  EAGAIN: NO_PROCESS,
  ENOMEM: 'the system does not have enough memory for another process (end some processes)',
};

/** Returns the reason when `error` is caused by exhausted resources; otherwise null. */
export function starvation(error: unknown): Starved | null {
  if (error instanceof Starved) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? null : new Starved(reason, { cause: error });
}

/**
 * Returns the probable cause of a failed start when the system has named none: the limit on descriptors if those that
 * a start needs cannot be opened, otherwise the limit on processes.
 */
export function whatIsMissing(): Starved {
  const opened: number[] = [];
  try {
    while (opened.length < START_DESCRIPTORS) opened.push(openSync('/dev/null', 'r'));
  } catch (error) {
    const found = starvation(error);
    if (found) return found;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
  return new Starved(NO_PROCESS);
}

const FILE_REMEDIES: { readonly [code: string]: string } = {
  ENOSPC: 'free some space on the disk of the state folder',
  EDQUOT: "free some space in the state folder, or raise the user's disk quota",
  EMFILE: 'raise the limit of open files, ulimit -n, or end some processes',
  ENFILE: 'raise fs.file-max, or end some processes',
};

/** Returns true when a file cannot be created or written because space or descriptors ran out. */
export const isOutOfRoom = ({ code = '' }: NodeJS.ErrnoException): boolean => code in FILE_REMEDIES;

/** Returns the message of a failure to create or write a file of the state folder, with the remedy where it is known. */
export function withRemedy({ code = '', message }: NodeJS.ErrnoException): string {
  const remedy = FILE_REMEDIES[code];
  return remedy === undefined ? message : `${message} (${remedy})`;
}
