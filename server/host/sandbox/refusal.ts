// The error of a sandbox that cannot be enforced.

/** Thrown before anything is started; the message states why the sandbox cannot be enforced. */
export class SandboxRefusal extends Error {}
