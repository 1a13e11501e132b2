// Error for an invalid command line, which is printed with a hint to --help.

export class UsageError extends Error {}
