// Whether a sandboxed process probably failed because of its sandbox, told from how it ended and what it printed.

/** Lower case. The reference's words, as measured, and those that a missing network leaves behind. */
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

/** Killed by SIGSYS, as a filter does. */
const KILLED_BY_FILTER = 128 + 31;

/** `output` is what is retained, or as much of its end as the caller wants looked at. */
export function sandboxDenied(exitCode: number, output: string): boolean {
  if (exitCode === 0) return false;
  if (exitCode === KILLED_BY_FILTER) return true;
  const lower = output.toLowerCase();
  return TEXTS.some((text) => lower.includes(text));
}
