// Time axis of a replay: maps recording times to playback times, with or without idle time.
import type { RecordingResult } from '../../../protocol/replay.ts';

/** Silence longer than this counts as idle time; the second value is the length to which each silence is shortened. */
export const IDLE_MS = 2000;
const SHORTENED_MS = 500;

interface Point {
  readonly realMs: number;
  readonly shownMs: number;
}

export class ReplayAxis {
  readonly fromMs: number;
  readonly toMs: number;
  /** Points of the mapping, which is linear in between. */
  readonly #points: readonly Point[];

  /** `endMs`: end of the axis if it is later than the end of the recording, as for a running process. */
  constructor(recording: RecordingResult, { skipsIdle, endMs }: { skipsIdle: boolean; endMs: number }) {
    const { fromMs, bins, binMs } = recording;
    this.fromMs = fromMs;
    this.toMs = Math.max(recording.toMs, endMs, fromMs + 1);
    const points: Point[] = [{ realMs: fromMs, shownMs: 0 }];
    const add = (realMs: number, isIdle: boolean): void => {
      const last = points.at(-1) ?? { realMs: fromMs, shownMs: 0 };
      const length = realMs - last.realMs;
      if (length <= 0) return;
      points.push({ realMs, shownMs: last.shownMs + (isIdle ? SHORTENED_MS : length) });
    };
    if (skipsIdle) {
      let quietFrom = fromMs;
      for (const bin of bins) {
        const start = fromMs + bin * binMs;
        if (start - quietFrom > IDLE_MS) {
          add(quietFrom, false);
          add(start, true);
        }
        quietFrom = start + binMs;
      }
      if (this.toMs - quietFrom > IDLE_MS) {
        add(quietFrom, false);
        add(this.toMs, true);
      }
    }
    add(this.toMs, false);
    this.#points = points;
  }

  /** Length of the playback at normal speed, in ms. */
  get lengthMs(): number {
    return this.#points.at(-1)?.shownMs ?? 1;
  }

  toShown(realMs: number): number {
    return between(this.#points, realMs, 'realMs', 'shownMs');
  }

  toReal(shownMs: number): number {
    return between(this.#points, shownMs, 'shownMs', 'realMs');
  }

  /** Returns the position of a recording time on the axis, from 0 to 1. */
  shareOf(realMs: number): number {
    return this.toShown(realMs) / this.lengthMs;
  }

  atShare(share: number): number {
    return this.toReal(Math.min(1, Math.max(0, share)) * this.lengthMs);
  }
}

function between(points: readonly Point[], value: number, from: keyof Point, to: keyof Point): number {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((points[middle]?.[from] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  const start = points[low];
  const end = points[low + 1];
  if (!start) return 0;
  if (!end || value <= start[from]) return start[to];
  return start[to] + ((value - start[from]) / (end[from] - start[from])) * (end[to] - start[to]);
}
