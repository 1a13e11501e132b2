// The numbers and names of ours that both ends need as values; without zod, so that nothing of it reaches a page.

/** Ends of `windowBytes`, and what it is when not named. */
export const WINDOW_BYTES = { min: 64 * 1024, max: 4 * 1024 * 1024, default: 1024 * 1024 } as const;

/** A chunk never holds more decoded bytes than this. */
export const MAX_CHUNK_BYTES = 64 * 1024;

/** The subprotocols of the page's socket; only the first is ever selected. */
export const SUBPROTOCOL = { console: 'exec-console.v1', tokenPrefix: 'exec-console.token.' } as const;

/** How the gateway's health says that no sandbox can be kept here; the reason follows. */
export const SANDBOX_REFUSED = 'Commands that ask for a sandbox are refused';

/** WebSocket close codes of ours. A client that sees one of the first three does not come back by itself. */
export const CloseCode = {
  normal: 1000,
  policyViolation: 1008,
  unauthorized: 4401,
  protocolMismatch: 4406,
  goingAway: 1001,
} as const;
