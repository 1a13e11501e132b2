// Replay of recordings: events over time, and the screen at any moment. Exec-console's extension of the
// protocol.
import { z } from 'zod';
import type { Act } from './console.ts';
import { count } from './scalars.ts';

const key = z.string().max(64);

export const recordingParams = z.object({ key });
export const momentParams = z.object({
  key,
  /** Time in ms since the epoch. */
  atMs: count,
  /** True to draw the screen from output with secrets masked, as always for observers. */
  masked: z.boolean().optional(),
  /** Scrollback lines to include; default and maximum: 1000. */
  scrollback: count.optional(),
});

/**
 * A moment of interest. `count`: number of marks of the same kind that were merged because they are close
 * together.
 */
export type RecordingMark = { readonly atMs: number; readonly count: number } & (
  | { readonly kind: 'input'; readonly who: string }
  | { readonly kind: 'act'; readonly who: string; readonly how: Act['how'] }
  | { readonly kind: 'resize'; readonly rows: number; readonly cols: number }
  | { readonly kind: 'bell' }
  /** A shell prompt (OSC 133;A). */
  | { readonly kind: 'prompt' }
  /** A failed command in a shell (OSC 133;D), or output on stderr; `exitCode` is null for the latter. */
  | { readonly kind: 'error'; readonly exitCode: number | null }
  | { readonly kind: 'exit'; readonly exitCode: number }
  /** Output missing from the recording. */
  | { readonly kind: 'gap'; readonly bytes: number }
);

export interface RecordingResult {
  /** Times of the first and last record. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Width of a bin in ms; the first bin starts at `fromMs`. */
  readonly binMs: number;
  /** Indexes of the bins that contain output, in order. */
  readonly bins: readonly number[];
  /** Decoded bytes of output in each of these bins. */
  readonly binBytes: readonly number[];
  /** Marks in order of time. */
  readonly marks: readonly RecordingMark[];
  /** True when there are more marks than returned. */
  readonly isCut: boolean;
}

export interface MomentResult {
  /** False when the screen is drawn only up to `drawnMs`; the screen is then omitted until the request is repeated. */
  readonly isReached: boolean;
  readonly drawnMs: number;
  /** Seq of the last event in `data`. Without a tty, `data` is empty, and the client draws the output after `seq`. */
  readonly seq: number;
  /**
   * Time of the last output at or before the moment; null before the first output. Without a tty, the time of the first
   * output after `seq`, or 0 when there is none.
   */
  readonly frameMs: number | null;
  /** Terminal size at the moment; 0 without a tty. */
  readonly rows: number;
  readonly cols: number;
  /** Base64; written to a fresh terminal of this size, it restores screen, scrollback and modes. */
  readonly data: string;
  /** False when the screen may lack output that was not recorded. */
  readonly exact: boolean;
}
