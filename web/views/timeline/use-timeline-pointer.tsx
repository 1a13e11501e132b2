// Pointer and wheel on a timeline: dragging selects a range, one finger moves the view, two fingers zoom, the wheel
// moves or zooms, and a click opens a process.
import { useEffect, useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import { barAt, timeAt } from '../../screen/timeline/timeline-picture.ts';
import type { Bar } from '../../state/timeline/timeline-lanes.ts';
import { lengthOf, moved, zoomed, type TimeSpan } from '../../state/timeline/timeline-view.ts';
import type { TimelineActs } from './timeline-keys.ts';

/** Maximum horizontal distance in px that the pointer moves in a click. */
const CLICK_PX = 4;
/** Natural logarithm of the zoom factor per px of wheel movement. */
const WHEEL = 0.002;

interface Options extends TimelineActs {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

interface Drag {
  readonly startX: number;
  /** Horizontal finger positions in px, and the view, when the number of fingers last changed. */
  readonly starts: readonly number[];
  readonly view: TimeSpan;
  readonly isTouch: boolean;
  hasMoved: boolean;
}

export interface Pointed {
  readonly bar: Bar;
  readonly x: number;
  readonly y: number;
}

export function useTimelinePointer(options: Options) {
  const { canvas, scene } = options;
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const drag = useRef<Drag | null>(null);
  /** Horizontal finger positions in px, by pointer id. */
  const fingers = useRef(new Map<number, number>());
  /** True when the press that just ended was a click rather than a drag. */
  const isClick = useRef(false);
  const newest = useRef(options);
  useEffect(() => {
    newest.current = options;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      const { scene: now, onView } = newest.current;
      const width = element.clientWidth;
      const scroller = element.closest('.timeline-scroll');
      const isScrolled = scroller !== null && scroller.scrollHeight > scroller.clientHeight;
      const acrossPx = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        onView(moved(now.view, (acrossPx / width) * lengthOf(now.view)));
      else if (event.ctrlKey || event.metaKey || !isScrolled)
        onView(zoomed(now.view, Math.exp(event.deltaY * WHEEL), timeAt(event.offsetX, now.view, width)));
      else return;
      event.preventDefault();
    };
    // React’s own listener is passive, so the page would scroll.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas]);
  const placeOf = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLCanvasElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top, width };
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const isTouch = event.pointerType === 'touch';
      const { x } = placeOf(event);
      if (isTouch) fingers.current.set(event.pointerId, x);
      drag.current = {
        startX: x,
        starts: [...fingers.current.values()],
        view: scene.view,
        isTouch,
        // A press with a second finger is not a click.
        hasMoved: fingers.current.size > 1,
      };
      setPointed(null);
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>): void => {
      const { x, y, width } = placeOf(event);
      const now = drag.current;
      if (!now) {
        const bar = barAt(scene, { x, y }, width);
        const dialog = event.currentTarget.closest('.timeline')?.getBoundingClientRect();
        setPointed(
          bar && {
            bar,
            x: event.clientX - (dialog?.left ?? 0) + 12,
            y: event.clientY - (dialog?.top ?? 0) + 16,
          },
        );
        return;
      }
      if (Math.abs(x - now.startX) > CLICK_PX) now.hasMoved = true;
      if (!now.hasMoved) return;
      if (!now.isTouch) {
        const [fromMs = 0, toMs = 0] = [now.startX, x]
          .map((each) => timeAt(each, scene.view, width))
          .toSorted((one, other) => one - other);
        options.onSelection({ fromMs, toMs });
        return;
      }
      fingers.current.set(event.pointerId, x);
      options.onView(gestureView(now, [...fingers.current.values()], width));
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>): void => {
      const now = drag.current;
      fingers.current.delete(event.pointerId);
      const starts = [...fingers.current.values()];
      drag.current = now && starts.length > 0 ? { ...now, starts, view: scene.view, hasMoved: true } : null;
      isClick.current = now?.hasMoved === false;
    },
    // Open only on click, the last event of a press: something opened earlier would receive the click.
    onClick: (event: MouseEvent<HTMLCanvasElement>): void => {
      if (!isClick.current) return;
      const { x, y, width } = placeOf(event);
      const bar = barAt(scene, { x, y }, width);
      if (bar) options.onOpen(bar.entry);
      else options.onSelection(null);
    },
    onPointerCancel: (event: PointerEvent<HTMLCanvasElement>): void => {
      fingers.current.delete(event.pointerId);
      drag.current = null;
    },
    onPointerLeave: (): void => setPointed(null),
  };
  return { handlers, pointed };
}

/** Returns the view after a gesture: several moves may precede the next frame, so all are relative to the start. */
function gestureView({ starts, view }: Drag, now: readonly number[], width: number): TimeSpan {
  const [from, to] = [middleOf(starts), middleOf(now)];
  const zoom = starts.length > 1 ? spreadOf(starts) / spreadOf(now) : 1;
  const next = zoomed(view, zoom, timeAt(from, view, width));
  return moved(next, ((from - to) / width) * lengthOf(next));
}

const middleOf = ([one = 0, other = one]: readonly number[]): number => (one + other) / 2;
const spreadOf = ([one = 0, other = one]: readonly number[]): number => Math.max(8, Math.abs(one - other));
