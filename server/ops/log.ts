// What the gateway says of itself while it runs: a sentence for people, with its keys for machines.

/** From what only tells how things go to what is broken. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogKeys {
  /** What has happened, as `start`, `processExited`, `refused`. */
  readonly event: string;
  /** Of whose connection, in which session, with which process: each by its public name. */
  readonly connection?: string;
  readonly session?: string;
  readonly process?: string;
  readonly identity?: { readonly name: string; readonly role?: string; readonly token: string };
  readonly [more: string]: unknown;
}

export type Line = readonly [level: Level, sentence: string, keys: LogKeys];
export type Log = (...line: Line) => void;
