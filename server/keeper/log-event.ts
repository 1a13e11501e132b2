// Events of an event log.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';

/** `offset`: decoded bytes of all streams before this event. It never changes. */
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

/** An event, a new size of the terminal, which has no seq, or the place where a log begins after what is gone. */
export type LogStep =
  | LogEvent
  | ({ readonly kind: 'resized' } & Size)
  | { readonly kind: 'begun'; readonly seq: number; readonly offset: number };

export type OutputEvent = Extract<LogEvent, { readonly kind: 'output' }>;
