// The range of a replay that is to be saved.
import type { ReplayAxis } from '../../state/replay/replay-axis.ts';
import type { Range } from './seek-bar.tsx';

/** The range with this beginning; an end before it becomes that of the recording. */
export const rangeFrom = (range: Range | null, fromMs: number, axis: ReplayAxis): Range => ({
  fromMs,
  toMs: range && range.toMs > fromMs ? range.toMs : axis.toMs,
});

/** The range with this end; a beginning behind it becomes that of the recording. */
export const rangeTo = (range: Range | null, toMs: number, axis: ReplayAxis): Range => ({
  fromMs: range && range.fromMs < toMs ? range.fromMs : axis.fromMs,
  toMs,
});
