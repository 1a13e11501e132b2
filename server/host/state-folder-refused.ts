// The refusal of a folder for the state.

/** Thrown with a sentence for people when a folder cannot be used. */
export class StateFolderRefused extends Error {}
