// Position of a replay in words.
import { clockText, durationText } from '../../../text/amounts.ts';
import type { ReplayAxis } from '../../state/replay/replay-axis.ts';

/** Returns for example `1m 03s of 3m 10s, 14:03:22`. */
export const positionText = (axis: ReplayAxis, atMs: number): string =>
  `${durationText(atMs - axis.fromMs, true)} of ${durationText(axis.toMs - axis.fromMs, true)}, ${clockText(atMs, true)}`;
