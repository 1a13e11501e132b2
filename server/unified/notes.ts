// Notes about sessions of unified exec for a later gateway: plain values, without environments and input.
import type { Requests } from '../../protocol/methods.ts';
import type { HeldFacts } from './held.ts';

type StartParams = Requests['process/start']['params'];

/** Notes by kind and name, which outlive the gateway. */
export interface Notes {
  /** Returns the values by name. Those of the previous gateway are unvalidated, because the file may be damaged. */
  all(kind: string): ReadonlyMap<string, unknown>;
  set(kind: string, name: string, value: object): void;
  remove(kind: string, name: string): void;
}

/** Note about a `Line`, by the public label of its exec-server session. */
export interface PastLine {
  readonly tokenId: string;
  readonly clientName: string;
  readonly thread: string | null;
  readonly from: string;
}

/** Note about a session, by its id. */
export interface PastHeld extends Omit<HeldFacts, 'line' | 'id'> {
  /** Public label of the exec-server session in which the process runs. */
  readonly label: string;
  readonly sinceMs: number;
}

/** Note about what answers have returned and reported of a session, by the session's id. */
export interface PastDrain {
  /** Seq of the last received event. */
  readonly seq: number;
  /** Number of decoded bytes that answers have returned. */
  readonly bytes: number;
  /** Number of lines typed by each person, as last reported to the agent. */
  readonly told: readonly (readonly [who: string, lines: number])[];
  /** Time at which the exit of the process was reported, or the session was evicted; null until then. */
  readonly reportedAtMs: number | null;
}

/**
 * Note about a start that is waiting for approval, by the session's id. It has no environment, which is
 * created anew.
 */
export type PastStart = Omit<StartParams, 'env' | 'envPolicy'>;

export const lineOf = (value: unknown): PastLine | null => {
  const line = value as Partial<PastLine> | null;
  return typeof line?.tokenId === 'string' && typeof line.clientName === 'string' ? (line as PastLine) : null;
};

export const heldOf = (value: unknown): PastHeld | null => {
  const held = value as Partial<PastHeld> | null;
  const isWhole = [held?.label, held?.tokenId, held?.cmd, held?.cwd].every(
    (each) => typeof each === 'string',
  );
  return isWhole ? (held as PastHeld) : null;
};

export const drainOf = (value: unknown): PastDrain | null => {
  const drain = value as Partial<PastDrain> | null;
  const isWhole = typeof drain?.seq === 'number' && typeof drain.bytes === 'number';
  return isWhole && Array.isArray(drain.told) ? (drain as PastDrain) : null;
};

export const startOf = (value: unknown): PastStart | null => {
  const start = value as Partial<PastStart> | null;
  return Array.isArray(start?.argv) && typeof start.cwd === 'string' ? (start as PastStart) : null;
};
