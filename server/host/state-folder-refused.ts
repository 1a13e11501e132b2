// The error for a folder that cannot be used for the gateway's state.

export class StateFolderRefused extends Error {}
