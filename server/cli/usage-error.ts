// The error for a command line that is not understood.

/** A flag or value that is not understood. */
export class UsageError extends Error {}
