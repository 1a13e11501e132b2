// Keyboard control of a timeline.
import type { HistoryEntry } from '../../../protocol/history.ts';
import type { Scene } from '../../screen/timeline/timeline-picture.ts';
import type { Bar, Lane } from '../../state/timeline/timeline-lanes.ts';
import { lengthOf, moved, showing, zoomed, type TimeSpan } from '../../state/timeline/timeline-view.ts';

const ZOOM = 1.6;
/** Fraction of the view by which an arrow key moves it. */
const MOVE = 0.25;

export interface TimelineActs {
  readonly scene: Scene;
  readonly onView: (view: TimeSpan | null) => void;
  readonly onSelection: (selection: TimeSpan | null) => void;
  readonly onOpen: (entry: HistoryEntry) => void;
  readonly onCursor: (key: string | null) => void;
}

/** Handles a key; returns false if others should handle it, for example Escape while no range is selected. */
export function timelineKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { scene, onView, onSelection, onOpen, onCursor }: TimelineActs,
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const { view, lanes, cursor, selection } = scene;
  const current = lanes.flatMap(({ bars }) => bars).find(({ entry }) => entry.key === cursor);
  const middle = current?.fromMs ?? (view.fromMs + view.toMs) / 2;
  const go = (bar: Bar | null | undefined): boolean => {
    if (!bar) return true;
    onCursor(bar.entry.key);
    const next = showing(view, bar);
    if (next !== view) onView(next);
    return true;
  };
  switch (key) {
    case '+':
    case '=':
      onView(zoomed(view, 1 / ZOOM, middle));
      return true;
    case '-':
      onView(zoomed(view, ZOOM, middle));
      return true;
    case '0':
      onView(null);
      return true;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const by = key === 'ArrowLeft' ? -1 : 1;
      if (!shiftKey) return go(current ? inLane(lanes, current, by) : firstIn(lanes, view));
      onView(moved(view, by * MOVE * lengthOf(view)));
      return true;
    }
    case 'ArrowUp':
    case 'ArrowDown':
      return go(current ? otherLane(lanes, current, key === 'ArrowUp' ? -1 : 1) : firstIn(lanes, view));
    case 'Home':
      return go(laneOf(lanes, current)?.bars[0]);
    case 'End':
      return go(laneOf(lanes, current)?.bars.at(-1));
    case 'Enter':
      if (current) onOpen(current.entry);
      return current !== undefined;
    case 'Escape':
      if (selection === null) return false;
      onSelection(null);
      return true;
    default:
      return false;
  }
}

const laneOf = (lanes: readonly Lane[], bar: Bar | undefined): Lane | undefined =>
  bar ? lanes.find(({ bars }) => bars.includes(bar)) : lanes[0];

const firstIn = (lanes: readonly Lane[], view: TimeSpan): Bar | undefined =>
  lanes.flatMap(({ bars }) => bars).find(({ toMs, fromMs }) => toMs >= view.fromMs && fromMs <= view.toMs);

function inLane(lanes: readonly Lane[], bar: Bar, by: -1 | 1): Bar | undefined {
  const bars = laneOf(lanes, bar)?.bars ?? [];
  return bars[bars.indexOf(bar) + by];
}

/**
 * Returns the bar in the adjacent lane (`by`: 1 is below, -1 above) whose start is closest to that of `bar`; undefined
 * if there is no such lane.
 */
function otherLane(lanes: readonly Lane[], bar: Bar, by: -1 | 1): Bar | undefined {
  const lane = laneOf(lanes, bar);
  const other = lane && lanes[lanes.indexOf(lane) + by];
  return other?.bars.reduce((best, each) =>
    Math.abs(each.fromMs - bar.fromMs) < Math.abs(best.fromMs - bar.fromMs) ? each : best,
  );
}
