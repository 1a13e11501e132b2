// Limits on requests that wait for approval, and on finished ones.

const MIB = 1024 * 1024;

export const APPROVAL_LIMITS = {
  /** Maximum number of waiting requests of all agents; half of it for one token. */
  approvalsWaiting: 10_000,
  /** Maximum number of bytes that waiting requests retain and show; half of it for one token. */
  approvalsWaitingBytes: 128 * MIB,
  /** Maximum number of finished requests that are listed. */
  approvalsOver: 1000,
  /** Time until a waiting request expires; 0 means never. */
  approvalTimeoutMs: 0,
};
