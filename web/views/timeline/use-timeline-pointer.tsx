// Pointer and wheel on a timeline: a drag selects a range, a finger moves, two zoom, a click opens.
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { barAt, timeAt } from '../../screen/timeline/timeline-picture.ts';
import type { Bar } from '../../state/timeline/timeline-lanes.ts';
import { lengthOf, moved, zoomed, type TimeSpan } from '../../state/timeline/timeline-view.ts';
import type { TimelineActs } from './timeline-keys.ts';

/** Movement in px up to which it is a click. */
const CLICK_PX = 4;
/** Factor of the zoom for each px of the wheel. */
const WHEEL = 0.002;

interface Options extends TimelineActs {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

interface Drag {
  readonly startX: number;
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
  /** Places of the fingers, by pointer. */
  const fingers = useRef(new Map<number, number>());
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
    // React’s own listener is passive, and the page would scroll.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas]);
  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
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
      drag.current = { startX: x, view: scene.view, isTouch, hasMoved: false };
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
      const before = [...fingers.current.values()];
      fingers.current.set(event.pointerId, x);
      const after = [...fingers.current.values()];
      if (after.length === 1) {
        options.onView(moved(scene.view, (((before[0] ?? x) - x) / width) * lengthOf(scene.view)));
        return;
      }
      const spread = ([one = 0, other = 0]: number[]): number => Math.max(8, Math.abs(one - other));
      const middle = ((after[0] ?? 0) + (after[1] ?? 0)) / 2;
      options.onView(zoomed(scene.view, spread(before) / spread(after), timeAt(middle, scene.view, width)));
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>): void => {
      const now = drag.current;
      fingers.current.delete(event.pointerId);
      if (fingers.current.size === 0) drag.current = null;
      if (!now || now.hasMoved) return;
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
