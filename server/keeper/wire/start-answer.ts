// Output and exit codes by which a new keeper reports its start to the gateway that starts it.

/** Line printed when the socket accepts connections. */
export const READY = 'ready\n';
/** Exit code when another keeper has locked the folder. */
export const TAKEN = 3;
/** Exit code when no keeper can run in the folder; stdout has the reason. */
export const REFUSED = 4;
