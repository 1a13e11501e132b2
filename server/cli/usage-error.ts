// Error for a command line that is not understood.

/** Flag or value that is not understood. */
export class UsageError extends Error {}
