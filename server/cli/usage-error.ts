// Error for an invalid command line, which is printed with a hint to --help.

/** Flag or value that is not understood. */
export class UsageError extends Error {}
