// Time limits of calls, by client: each gives a call up after a time of its own, and then the answer is lost.

const SECOND = 1000;

/** The default of the protocol's SDK is 60 s, and it is what most unknown clients have. */
const UNKNOWN_MS = 50 * SECOND;

/** Beginnings of client names, in lower case → ms; each is below what was measured or is documented for that client. */
const BUDGETS: readonly (readonly [name: string, ms: number])[] = [
  ['claude-code', 110 * SECOND],
  ['codex', 240 * SECOND],
  ['gemini-cli', 300 * SECOND],
  ['visual studio code', 240 * SECOND],
  ['vscode', 240 * SECOND],
];

/** Bounds of a budget that a person sets. */
const LEAST_MS = SECOND;
const MOST_MS = 24 * 60 * 60 * SECOND;

/** `set`: what a person has set for this client, in ms; null: nothing. */
export function budgetOf(name: string, set: number | null): number {
  if (set !== null && Number.isFinite(set)) return Math.min(Math.max(set, LEAST_MS), MOST_MS);
  const known = name.toLowerCase();
  return BUDGETS.find(([beginning]) => known.startsWith(beginning))?.[1] ?? UNKNOWN_MS;
}
