// A recording as it is replayed: what happened when, and the screen at any moment. Our own part of the wire.
import { z } from 'zod';
import type { Act } from './console.ts';
import { count } from './scalars.ts';

const key = z.string().max(64);

export const recordingParams = z.object({ key });
export const momentParams = z.object({
  key,
  /** ms since the epoch. */
  atMs: count,
  /** Lines above the screen, at most 1000, which is the default. */
  scrollback: count.optional(),
});

/** A moment that people look for. `count`: how many of this kind are so close together that they are one mark. */
export type RecordingMark = { readonly atMs: number; readonly count: number } & (
  | { readonly kind: 'input'; readonly who: string }
  | { readonly kind: 'act'; readonly who: string; readonly how: Act['how'] }
  | { readonly kind: 'resize'; readonly rows: number; readonly cols: number }
  | { readonly kind: 'bell' }
  /** A shell's prompt (OSC 133;A). */
  | { readonly kind: 'prompt' }
  /** A command that failed in a shell (OSC 133;D), or output on stderr, whose `exitCode` is null. */
  | { readonly kind: 'error'; readonly exitCode: number | null }
  | { readonly kind: 'exit'; readonly exitCode: number }
  /** Output that is not kept. */
  | { readonly kind: 'gap'; readonly bytes: number }
);

export interface RecordingResult {
  /** Time of the first and of the last record. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Time that each of `bins` stands for, in ms: the first begins at `fromMs`. */
  readonly binMs: number;
  /** Number of each bin in which there was output, in their order. */
  readonly bins: readonly number[];
  /** Decoded bytes of output in each of these. */
  readonly binBytes: readonly number[];
  /** Marks in the order of their times. */
  readonly marks: readonly RecordingMark[];
  /** True when there are more marks than are given. */
  readonly isCut: boolean;
}

export interface MomentResult {
  /** False while the screen is drawn up to `drawnMs` only: the same request goes on with it. */
  readonly isReached: boolean;
  readonly drawnMs: number;
  /** The last event in `data`. Without a tty the output after it, up to the moment, is to be read and drawn. */
  readonly seq: number;
  /** Time of the last output at or before the moment; null before the first. */
  readonly frameMs: number | null;
  /** The terminal's size at the moment; 0 without a tty. */
  readonly rows: number;
  readonly cols: number;
  /** base64 that, written to a fresh terminal of that size, gives the screen, lines above it and modes. */
  readonly data: string;
  /** False when the screen may lack what output that is not kept had drawn. */
  readonly exact: boolean;
}
