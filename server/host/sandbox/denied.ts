// Detects, from the exit code and the output, that a process probably failed because of its sandbox.

/** Texts that the reference searches for, as far as observed, and texts of a missing network; in lower case. */
const TEXTS = [
  'operation not permitted',
  'permission denied',
  'read-only file system',
  'seccomp',
  'sandbox',
  'landlock',
  'failed to write file',
  'network is unreachable',
  'could not resolve host',
  'temporary failure in name resolution',
];

/** Exit code of a process killed by SIGSYS, which a filter sends. */
const KILLED_BY_FILTER = 128 + 31;

/**
 * Returns true when a sandboxed process with this exit code probably failed because of its sandbox. `output`: the
 * retained output, or the part of its end to search.
 */
export function sandboxDenied(exitCode: number, output: string): boolean {
  if (exitCode === 0) return false;
  if (exitCode === KILLED_BY_FILTER) return true;
  const lower = output.toLowerCase();
  return TEXTS.some((text) => lower.includes(text));
}
