// Text of a start that the system refuses. The gateway writes it, and commands read from it why the start failed.

/** Reasons to which commands add the next step. */
export const NOT_FOUND = 'not found';
export const NOT_EXECUTABLE = 'not an executable file';

/** Returns the error for a program that cannot be started. */
export const startRefusal = (program: string, reason: string): string =>
  `cannot start ${JSON.stringify(program)}: ${reason}`;

/** Returns the reason from an error of `startRefusal`; null for any other error. */
export const startRefusalReason = (message: string): string | null =>
  /^cannot start "(?:[^"\\]|\\.)*": (.*)/s.exec(message)?.[1] ?? null;
