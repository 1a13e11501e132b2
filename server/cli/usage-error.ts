// Error for an invalid command line; its message is printed with a pointer to --help.

export class UsageError extends Error {}
