// Interface of the gateway's log: each line has a sentence for people and members for machines.

/** Log levels in ascending order of severity. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogKeys {
  /** Name of the event, such as `start`, `processExited`, `refused`. */
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
