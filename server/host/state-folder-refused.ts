// The error for a folder that cannot be used for the gateway's state.

/** Thrown with a sentence for people when a folder cannot be used. */
export class StateFolderRefused extends Error {}
