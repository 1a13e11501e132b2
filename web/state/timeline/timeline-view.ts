// Visible time span of a timeline: zooming, moving, and the ticks of its axis.
import { clockText, dateTimeText } from '../../../text/amounts.ts';

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SHORTEST_MS = 2 * SECOND;
const LONGEST_MS = 60 * DAY;

/** Possible intervals between ticks. */
const STEPS_MS = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
];

/** Minimum distance in px between ticks, which leaves room for their text. */
const TICK_PX = 76;

export const lengthOf = ({ fromMs, toMs }: TimeSpan): number => toMs - fromMs;

/** Returns the span with a little padding at both ends, at least `SHORTEST_MS` long. */
export function padded({ fromMs, toMs }: TimeSpan): TimeSpan {
  const room = Math.max(SHORTEST_MS - (toMs - fromMs), (toMs - fromMs) * 0.04, 200) / 2;
  return { fromMs: fromMs - room, toMs: toMs + room };
}

/** Returns a view `factor` times as long, within the limits, in which `atMs` stays in place. */
export function zoomed(view: TimeSpan, factor: number, atMs: number): TimeSpan {
  const length = lengthOf(view);
  const to = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, length * factor));
  const fromMs = atMs - ((atMs - view.fromMs) / length) * to;
  return { fromMs, toMs: fromMs + to };
}

export const moved = ({ fromMs, toMs }: TimeSpan, byMs: number): TimeSpan => ({
  fromMs: fromMs + byMs,
  toMs: toMs + byMs,
});

/** Moves a view back until it ends at most shortly after the current time, since there is nothing later. */
export function untilNow(view: TimeSpan, nowMs: number): TimeSpan {
  const beyondMs = view.toMs - nowMs - lengthOf(view) * 0.05;
  return beyondMs > 0 ? moved(view, -beyondMs) : view;
}

/**
 * Moves a view so that the beginning of a time span becomes visible, if that is outside the view or close to the
 * view's right edge.
 */
export function showing(view: TimeSpan, { fromMs, toMs }: TimeSpan): TimeSpan {
  const room = lengthOf(view) * 0.08;
  if (fromMs < view.fromMs) return moved(view, fromMs - view.fromMs - room);
  if (fromMs > view.toMs - room) return moved(view, Math.min(fromMs, toMs) - view.toMs + lengthOf(view) / 2);
  return view;
}

export const isWithin = (span: TimeSpan, view: TimeSpan): boolean =>
  span.toMs >= view.fromMs && span.fromMs <= view.toMs;

export interface Tick {
  readonly atMs: number;
  readonly text: string;
}

/** Returns ticks at round local times. */
export function ticksOf(view: TimeSpan, widthPx: number): Tick[] {
  const least = (lengthOf(view) * TICK_PX) / Math.max(1, widthPx);
  const step = STEPS_MS.find((each) => each >= least) ?? 7 * DAY;
  const ticks: Tick[] = [];
  // The hour that is repeated in autumn gets a second tick only if ticks are at most an hour apart.
  for (let atMs = tickFrom(view.fromMs, step); atMs <= view.toMs; atMs = tickFrom(atMs + 0.75 * step, step))
    ticks.push({ atMs, text: step < DAY ? clockText(atMs, step < MINUTE) : dateTimeText(atMs).slice(5, 10) });
  return ticks;
}

/** Returns the first time from `fromMs` on whose local time is a multiple of the step. */
function tickFrom(fromMs: number, step: number): number {
  const zoneMs = zoneAt(fromMs);
  const atMs = roundedUp(fromMs, step, zoneMs);
  const nextZoneMs = zoneAt(atMs);
  if (nextZoneMs === zoneMs) return atMs;
  // The clocks change before this tick.
  let changedMs = roundedUp(fromMs, step, nextZoneMs);
  while (zoneAt(changedMs) !== nextZoneMs) changedMs += step;
  return changedMs;
}

const roundedUp = (ms: number, step: number, zoneMs: number): number =>
  Math.ceil((ms - zoneMs) / step) * step + zoneMs;

/** Returns the milliseconds that, added to the local time, result in UTC. */
const zoneAt = (ms: number): number => new Date(ms).getTimezoneOffset() * MINUTE;
