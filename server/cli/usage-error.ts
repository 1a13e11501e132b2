// Error for an invalid command line, which is printed with a hint to --help.

/** Thrown for an invalid flag, value or word; the message is for people. */
export class UsageError extends Error {}
