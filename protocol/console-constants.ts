// Constants of exec-console's extensions for both ends; without zod, to keep it out of the page.

/** Roles: that of agents, then those of people, weakest first; docs/roles.md lists their rights. */
export const ROLES = ['agent', 'observer', 'operator', 'admin'] as const;

/** Approval policies for agents' commands, least strict first; see docs/approvals.md. */
export const APPROVAL_POLICIES = ['never', 'on-request', 'on-failure', 'always'] as const;

/** Default time between SIGTERM and SIGKILL in `process/terminate` by key. */
export const TERMINATE_GRACE_MS = 5000;

/**
 * Name in place of a token's, for guests of one process and for an unknown author of changed rules; acts of the gateway
 * stay named.
 */
export const SOMEBODY = 'somebody';

/** Limits and default of `windowBytes`. */
export const WINDOW_BYTES = { min: 64 * 1024, max: 4 * 1024 * 1024, default: 1024 * 1024 } as const;

/** Maximum number of decoded bytes per chunk. */
export const MAX_CHUNK_BYTES = 64 * 1024;

/** Maximum length in bytes of a name, id or key in a request, such as a process id or the name of the client. */
export const MAX_NAME_BYTES = 8192;

/** Subprotocols that browsers' sockets offer; the gateway selects only `console`, and never repeats a token. */
export const SUBPROTOCOL = { console: 'exec-console.v1', tokenPrefix: 'exec-console.token.' } as const;

/** Start of the health reason reported when no sandbox can be enforced; the cause follows. */
export const SANDBOX_REFUSED = 'Commands that request a sandbox are refused';

/** The gateway's WebSocket close codes; those from 4000 are private. */
export const CloseCode = {
  normal: 1000,
  goingAway: 1001,
  policyViolation: 1008,
  unauthorized: 4401,
  /** Code used only by the client: the server is not the gateway that the credential belongs to. */
  stranger: 4402,
  protocolMismatch: 4406,
  /** Close of a connection that exceeded a limit, such as the limit on simultaneous requests or on unread bytes. */
  flooded: 4429,
} as const;
