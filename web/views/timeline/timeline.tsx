// History timeline: lanes of agents and threads on one axis, zoomable from seconds to days; a drag selects a range.
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { statusOf } from '../../../text/process-words.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { drawTimeline, laneTops, type Scene } from '../../screen/timeline/timeline-picture.ts';
import { onThemeChange } from '../../state/page/theme-store.ts';
import { laneTitle, lanesOf } from '../../state/timeline/timeline-lanes.ts';
import { zoomed, type TimeSpan } from '../../state/timeline/timeline-view.ts';
import { BarTip, barText } from './bar-tip.tsx';
import { timelineKey } from './timeline-keys.ts';
import { useTimelinePointer } from './use-timeline-pointer.tsx';
import { numberText } from '../../../text/amounts.ts';

const ZOOM = 1.6;

interface TimelineProps {
  readonly entries: readonly HistoryEntry[];
  readonly view: TimeSpan;
  readonly selection: TimeSpan | null;
  readonly nowMs: number;
  /** Sets the view; null restores the default one: all listed processes, or the span of the time filter. */
  readonly onView: (view: TimeSpan | null) => void;
  readonly onSelection: (selection: TimeSpan | null) => void;
  readonly onOpen: (entry: HistoryEntry) => void;
}

export function Timeline({ entries, view, selection, nowMs, onView, onSelection, onOpen }: TimelineProps) {
  const helpId = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const lanes = useMemo(
    () => lanesOf(entries, nowMs, (entry) => statusOf(entry) === 'failed'),
    [entries, nowMs],
  );
  const scene: Scene = { lanes, view, selection, cursor, nowMs };
  const tops = laneTops(lanes);
  const pointer = useTimelinePointer({ canvas, scene, onView, onSelection, onOpen, onCursor: setCursor });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = (): void => drawTimeline(element, { lanes, view, selection, cursor, nowMs });
    const frame = requestAnimationFrame(draw);
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const unfollow = onThemeChange(() => requestAnimationFrame(draw));
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      unfollow();
    };
  }, [lanes, view, selection, cursor, nowMs]);
  const bars = useMemo(() => lanes.flatMap((lane) => lane.bars), [lanes]);
  const current = bars.find(({ entry }) => entry.key === cursor) ?? null;
  const middle = (view.fromMs + view.toMs) / 2;
  return (
    <section aria-label="Timeline" className="timeline">
      <div className="timeline-head">
        <span className="hint keyboard-only">Drag to select a range, Ctrl+scroll to zoom</span>
        <span className="timeline-buttons">
          <IconButton
            icon={ZoomOut}
            label="Zoom out"
            hint="Zoom out (-)"
            onClick={() => onView(zoomed(view, ZOOM, middle))}
          />
          <IconButton
            icon={ZoomIn}
            label="Zoom in"
            hint="Zoom in (+)"
            onClick={() => onView(zoomed(view, 1 / ZOOM, middle))}
          />
          <IconButton
            icon={Maximize2}
            label="Show all listed processes"
            hint="Show all listed processes (0)"
            onClick={() => onView(null)}
          />
        </span>
      </div>
      <div
        role="group"
        tabIndex={0}
        aria-label="Processes over time"
        aria-describedby={helpId}
        className="timeline-scroll"
        onKeyDown={(event) => {
          if (timelineKey(event.nativeEvent, { scene, onView, onSelection, onOpen, onCursor: setCursor }))
            event.preventDefault();
        }}
      >
        <div className="timeline-lanes" style={{ height: tops.at(-1) }}>
          <canvas ref={canvas} className="timeline-canvas" aria-hidden="true" {...pointer.handlers} />
          {lanes.map((lane, at) => (
            <span key={lane.id} className="timeline-label" style={{ top: tops[at] }}>
              {laneTitle(lane)}
              <span className="timeline-count">
                {numberText(lane.bars.length)}
                {lane.failed > 0 ? <b> · {numberText(lane.failed)} failed</b> : null}
              </span>
            </span>
          ))}
        </div>
      </div>
      {pointer.pointed ? <BarTip bar={pointer.pointed.bar} at={pointer.pointed} nowMs={nowMs} /> : null}
      <p role="status" className="sr-only">
        {current ? barText(current, nowMs) : ''}
      </p>
      <p id={helpId} className="sr-only">
        The left and right arrow keys move between processes, up and down between lanes, and Enter opens a
        process. Plus and minus zoom, Shift with left or right pans, and 0 shows all listed processes.
      </p>
    </section>
  );
}
