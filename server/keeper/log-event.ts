// Events of an event log.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';

/** An immutable event; `offset` is the number of decoded bytes of all streams before it. */
export type LogEvent =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly offset: number;
      readonly stream: Stream;
      readonly bytes: Buffer;
      /** Time (ms since the epoch) when the first byte was read. */
      readonly atMs: number;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly offset: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number; readonly offset: number };

/**
 * A step of a log: an event, a new terminal size (without a seq), or the start of a log whose earlier events are
 * missing.
 */
export type LogStep =
  | LogEvent
  | ({ readonly kind: 'resized' } & Size)
  | { readonly kind: 'begun'; readonly seq: number; readonly offset: number };

/** End of a log whose last events may be lost. */
export interface LogEnd {
  readonly nextSeq: number;
  /** Decoded bytes of all output. */
  readonly offset: number;
  readonly exit: { readonly exitCode: number; readonly sandboxDenied: boolean } | null;
  readonly isClosed: boolean;
}

export type OutputEvent = Extract<LogEvent, { readonly kind: 'output' }>;
