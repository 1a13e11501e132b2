// The numbers and names of ours that both ends need as values; without zod, so that nothing of it reaches a page.

/** Roles, the weakest first; docs/roles.md lists the rights of each. */
export const ROLES = ['agent', 'observer', 'operator', 'admin'] as const;

/** Policies for the commands of agents, in ascending order of strictness; docs/approvals.md says when each asks. */
export const APPROVAL_POLICIES = ['never', 'on-request', 'on-failure', 'always'] as const;

/** Ends of `windowBytes`, and what it is when not named. */
export const WINDOW_BYTES = { min: 64 * 1024, max: 4 * 1024 * 1024, default: 1024 * 1024 } as const;

/** A chunk never holds more decoded bytes than this. */
export const MAX_CHUNK_BYTES = 64 * 1024;

/** Names that a client gives: to a process, to a streamed request, to itself. */
export const MAX_NAME_BYTES = 8192;

/** The subprotocols of the page's socket; only the first is ever selected. */
export const SUBPROTOCOL = { console: 'exec-console.v1', tokenPrefix: 'exec-console.token.' } as const;

/** Beginning of the health reason reported when no sandbox can be enforced here; the cause follows. */
export const SANDBOX_REFUSED = 'Commands that ask for a sandbox are refused';

/** The WebSocket close codes of the gateway; above 4000 they are ours. */
export const CloseCode = {
  normal: 1000,
  goingAway: 1001,
  policyViolation: 1008,
  unauthorized: 4401,
  /** Used by a client locally: the answering server does not know the gateway of its credential. */
  stranger: 4402,
  protocolMismatch: 4406,
  /** The connection had too many requests open at once, or did not read the results of its requests. */
  flooded: 4429,
} as const;
