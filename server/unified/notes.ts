// The sessions of unified exec as they are noted for a later gateway. Plain values, without environments and input.
import type { Requests } from '../../protocol/methods.ts';
import type { HeldFacts } from './held.ts';

type StartParams = Requests['process/start']['params'];

/** Notes by their kind and name, which outlive the gateway. */
export interface Notes {
  /** Values of the gateway before, by name; from outside as far as the file may be damaged. */
  all(kind: string): ReadonlyMap<string, unknown>;
  set(kind: string, name: string, value: object): void;
  remove(kind: string, name: string): void;
}

/** A line, by the public label of its session. */
export interface PastLine {
  readonly tokenId: string;
  readonly clientName: string;
  readonly thread: string | null;
  readonly from: string;
}

/** A session, by its id. */
export interface PastHeld extends Omit<HeldFacts, 'line' | 'id'> {
  /** The label of its line's session. */
  readonly label: string;
  readonly sinceMs: number;
}

/** Place up to which answers have given its output, by its id. */
export interface PastDrain {
  /** Seq of the last event that had come, and decoded bytes that were given. */
  readonly seq: number;
  readonly bytes: number;
  readonly told: readonly (readonly [who: string, lines: number])[];
  /** Time at which its end was given; null before. */
  readonly reportedAtMs: number | null;
}

/** A start that waits for people, by the session's id; without the environment, which is made anew. */
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
