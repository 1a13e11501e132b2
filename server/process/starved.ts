// What the system has too little of when it cannot start anything, and what to do about it.
import { closeSync, openSync } from 'node:fs';

/** Nothing is wrong with what was asked for: the same works when there is room again. */
export class Starved extends Error {}

/** A start needs so many descriptors of the gateway's at the most, for a moment. */
const START_DESCRIPTORS = 12;

const DESCRIPTORS = 'the gateway has too many files open (raise its limit, ulimit -n, or end some processes)';

const REASONS: { readonly [code: string]: string } = {
  EMFILE: DESCRIPTORS,
  ENFILE: 'the system has too many files open (fs.file-max)',
  EAGAIN:
    'the system has no room for another process (raise the limit of the user, ulimit -u, or of the container, or end some)',
  ENOMEM: 'the system has not enough memory for another process',
  ENOSPC: 'there is no room in the folder for temporary files (TMPDIR)',
  EDQUOT: 'the quota of the folder for temporary files is used up (TMPDIR)',
};

/** The reason in words, when `error` is one of having too little; else null. */
export function starvation(error: unknown): Starved | null {
  if (error instanceof Starved) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? null : new Starved(reason, { cause: error });
}

/** Why a process or a terminal could not be had, where the system has not said: descriptors, or else `otherwise`. */
export function whatIsMissing(otherwise: 'EAGAIN' | 'terminals'): Starved {
  const opened: number[] = [];
  try {
    while (opened.length < START_DESCRIPTORS) opened.push(openSync('/dev/null', 'r'));
  } catch (error) {
    const found = starvation(error);
    if (found) return found;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
  return new Starved(
    otherwise === 'EAGAIN'
      ? (REASONS['EAGAIN'] ?? '')
      : 'the system has no terminal left (raise kernel.pty.max, or end some processes)',
  );
}
