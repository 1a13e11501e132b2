// Changes of the selected range of a replay, to which saving is limited.
import type { ReplayAxis } from '../../state/replay/replay-axis.ts';
import type { Range } from './seek-bar.tsx';

/** Returns the range with this start; a missing end, or one before it, becomes the end of the recording. */
export const rangeFrom = (range: Range | null, fromMs: number, axis: ReplayAxis): Range => ({
  fromMs,
  toMs: range && range.toMs > fromMs ? range.toMs : axis.toMs,
});

/** Returns the range with this end; a missing start, or one after it, becomes the start of the recording. */
export const rangeTo = (range: Range | null, toMs: number, axis: ReplayAxis): Range => ({
  fromMs: range && range.fromMs < toMs ? range.fromMs : axis.fromMs,
  toMs,
});
