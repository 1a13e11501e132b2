// The error of whoever typed something that is not understood.

/** A flag or value that is not understood. */
export class UsageError extends Error {}
