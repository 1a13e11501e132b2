// Time limits for calls, by client: each client aborts a call after its own timeout, and the answer is lost then.

const SECOND = 1000;

/** Budget below the default timeout of the protocol's SDK (60 s), which most unknown clients have. */
const UNKNOWN_MS = 50 * SECOND;

/** Prefixes of client names in lower case → ms; each is below the client's measured or documented timeout. */
const BUDGETS: readonly (readonly [name: string, ms: number])[] = [
  ['claude-code', 110 * SECOND],
  ['codex', 240 * SECOND],
  ['gemini-cli', 300 * SECOND],
  ['visual studio code', 240 * SECOND],
  ['vscode', 240 * SECOND],
];

/** Bounds of a configured budget. */
const LEAST_MS = SECOND;
const MOST_MS = 24 * 60 * 60 * SECOND;

/** Returns the budget of a client in ms; `set` is the configured one, or null. */
export function budgetOf(name: string, set: number | null): number {
  if (set !== null && Number.isFinite(set)) return Math.min(Math.max(set, LEAST_MS), MOST_MS);
  const known = name.toLowerCase();
  return BUDGETS.find(([beginning]) => known.startsWith(beginning))?.[1] ?? UNKNOWN_MS;
}
