// Detects that an element has moved other than by scrolling: the next click may be meant for another element.

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Sum over all ancestors, like `scrollHeight`. */
  readonly scrollTop: number;
  readonly scrollHeight: number;
}

interface Watched {
  place: Place;
  readonly onMove: () => void;
}

interface Observers {
  readonly changes: MutationObserver;
  readonly sizes: ResizeObserver;
}

const watched = new Map<Element, Watched>();
let observers: Observers | null = null;
let frame: number | null = null;

function look(): void {
  if (frame !== null) cancelAnimationFrame(frame);
  frame = null;
  for (const [element, watch] of watched) {
    const before = watch.place;
    watch.place = placeOf(element);
    if (hasMoved(before, watch.place)) watch.onMove();
  }
}

/** Compares the places before the next frame is drawn, so that a move is detected by the time it is visible. */
function lookSoon(): void {
  frame ??= requestAnimationFrame(look);
}

/** Calls `onMove` when the element is resized or moves other than by scrolling; returns a function that stops this. */
export function watchMoves(element: Element, onMove: () => void): () => void {
  observers ??= started();
  const { sizes } = observers;
  watched.set(element, { place: placeOf(element), onMove });
  sizes.observe(element);
  return () => {
    watched.delete(element);
    sizes.unobserve(element);
    if (watched.size === 0) stop();
  };
}

function started(): Observers {
  const changes = new MutationObserver(lookSoon);
  const sizes = new ResizeObserver(lookSoon);
  changes.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  sizes.observe(document.body);
  // The browser finds the target of a press in the new layout, even before that layout is drawn.
  window.addEventListener('pointerdown', look, { capture: true });
  window.addEventListener('scroll', lookSoon, { capture: true, passive: true });
  return { changes, sizes };
}

function stop(): void {
  observers?.changes.disconnect();
  observers?.sizes.disconnect();
  observers = null;
  if (frame !== null) cancelAnimationFrame(frame);
  frame = null;
  window.removeEventListener('pointerdown', look, { capture: true });
  window.removeEventListener('scroll', lookSoon, { capture: true });
}

function placeOf(element: Element): Place {
  const { left, top, width, height } = element.getBoundingClientRect();
  let [scrollTop, scrollHeight] = [0, 0];
  for (let around = element.parentElement; around; around = around.parentElement) {
    scrollTop += around.scrollTop;
    scrollHeight += around.scrollHeight;
  }
  return { left, top, width, height, scrollTop, scrollHeight };
}

/** Distance in px up to which a difference is due to rounding. */
const ROUNDING_PX = 1;

function hasMoved(before: Place, now: Place): boolean {
  const differs = (a: number, b: number): boolean => Math.abs(a - b) > ROUNDING_PX;
  if (differs(before.left, now.left) || differs(before.width, now.width)) return true;
  if (differs(before.height, now.height)) return true;
  if (differs(before.top + before.scrollTop, now.top + now.scrollTop)) return true;
  // The browser itself may scroll when content below has become shorter; this counts as a move.
  return differs(before.top, now.top) && differs(before.scrollHeight, now.scrollHeight);
}
