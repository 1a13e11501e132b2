// Interface of the gateway's log: a sentence for people, with its keys for machines.

/** Levels, from routine to broken. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogKeys {
  /** Name of the event, as `start`, `processExited`, `refused`. */
  readonly event: string;
  /** Connection, session and process, each by its public name. */
  readonly connection?: string;
  readonly session?: string;
  readonly process?: string;
  readonly identity?: { readonly name: string; readonly role?: string; readonly token: string };
  readonly [more: string]: unknown;
}

export type Line = readonly [level: Level, sentence: string, keys: LogKeys];
export type Log = (...line: Line) => void;
