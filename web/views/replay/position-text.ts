// Position of a replay in words.
import { clockText, durationText } from '../../../text/amounts.ts';
import type { ReplayAxis } from '../../state/replay/replay-axis.ts';

/** Returns an offset in the recording as a duration, for example `0s`, `12s` or `3m 04s`. */
export const offsetText = (ms: number): string => (ms < 1000 ? '0s' : durationText(ms));

/** Returns the position, the length and the time of day, for example `1m 03s of 3m 10s, 14:03:22`. */
export const positionText = (axis: ReplayAxis, atMs: number): string =>
  `${offsetText(atMs - axis.fromMs)} of ${durationText(axis.toMs - axis.fromMs)}, ${clockText(atMs, true)}`;
