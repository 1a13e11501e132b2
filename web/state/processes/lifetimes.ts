// Lifetimes of shares and tokens that a person can choose.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Lifetime {
  readonly text: string;
  /** Lifetime in ms; null for a token that never expires. */
  readonly ttlMs: number | null;
}

export const SHARE_LIFETIMES: readonly (Lifetime & { readonly ttlMs: number })[] = [
  { text: '1 hour', ttlMs: HOUR_MS },
  { text: '8 hours', ttlMs: 8 * HOUR_MS },
  { text: '1 day', ttlMs: DAY_MS },
  { text: '7 days', ttlMs: 7 * DAY_MS },
];

export const TOKEN_LIFETIMES: readonly Lifetime[] = [
  { text: '1 day', ttlMs: DAY_MS },
  { text: '30 days', ttlMs: 30 * DAY_MS },
  { text: '90 days', ttlMs: 90 * DAY_MS },
  { text: '1 year', ttlMs: 365 * DAY_MS },
  { text: 'never', ttlMs: null },
];
