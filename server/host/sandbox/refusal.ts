// The error of a sandbox that cannot be enforced.

/** Thrown when nothing was started; the message names the part of the intent that cannot be enforced. */
export class SandboxRefusal extends Error {}
