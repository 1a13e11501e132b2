// Guards against clicks on a button that has just replaced the intended one under the pointer.

/**
 * Time for which a button that replaced another one under the pointer ignores clicks: long enough to notice the
 * change.
 */
const SETTLES_MS = 1000;
/**
 * Time for which the spot under a resting or pressed pointer is watched: longer than a process usually takes to end
 * after a stop request.
 */
const WATCHED_MS = 60_000;
/** Distance in px up to which a move counts as a hand tremor rather than a move to another button. */
const TREMOR_PX = 4;

const PRESSABLE = 'button, a[href], summary, [role="menuitem"], [role="option"], [role="tab"]';

interface Pressed {
  /** Button that was pressed, or that the pointer reached. */
  readonly button: Element;
  /** Bounding box of `button` when it was pressed or reached. */
  readonly box: DOMRect;
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  /** Button now at `x`, `y`, initially `button`; null when there is none. */
  there: Element | null;
  sinceMs: number;
}

/**
 * Starts the listeners; returns a function that removes them. Buttons with the same `data-repeats` may be pressed one
 * after another in the same place.
 */
export function swallowStrayClicks(): () => void {
  let pressed: Pressed | null = null;
  let isStray = false;
  let frame = 0;
  const changes = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(look);
  });
  const forget = (): void => {
    pressed = null;
    changes.disconnect();
    cancelAnimationFrame(frame);
  };
  const watch = (button: Element, { clientX: x, clientY: y }: PointerEvent): void => {
    const now = Date.now();
    pressed = { button, box: button.getBoundingClientRect(), x, y, atMs: now, there: button, sinceMs: now };
    changes.observe(document.body, { subtree: true, childList: true, attributes: true });
  };
  /** Records which button is now at the watched point, and since when. */
  const look = (): void => {
    if (!pressed) return;
    const now = Date.now();
    if (now - pressed.atMs > WATCHED_MS) return forget();
    const there = pressableAt(document.elementFromPoint(pressed.x, pressed.y));
    if (there !== pressed.there) Object.assign(pressed, { there, sinceMs: now });
  };
  const onMove = (event: PointerEvent): void => {
    if (pressed && isIn(event, pressed.box)) return;
    if (pressed) forget();
    // A button may also be replaced before it is pressed, when its process ends or another person acts.
    const button = event.isTrusted ? pressableAt(event.target) : null;
    if (button) watch(button, event);
  };
  const onDown = (event: PointerEvent): void => {
    onMove(event);
    isStray = false;
    const button = pressableAt(event.target);
    if (!event.isTrusted || !button) return;
    look();
    // A neighbouring button reached by a hand tremor is not a replacement.
    const isReplaced = pressed !== null && pressed.there !== pressed.button && button !== pressed.button;
    if (pressed && isReplaced && !isRepeat(button, pressed) && !opensMenu(button)) {
      isStray = Date.now() - pressed.sinceMs < SETTLES_MS;
      if (isStray) return;
    }
    forget();
    watch(button, event);
  };
  const onClick = (event: MouseEvent): void => {
    if (!isStray || !event.isTrusted || event.detail === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('pointermove', onMove, { capture: true });
  window.addEventListener('pointerdown', onDown, { capture: true });
  window.addEventListener('click', onClick, { capture: true });
  return () => {
    forget();
    window.removeEventListener('pointermove', onMove, { capture: true });
    window.removeEventListener('pointerdown', onDown, { capture: true });
    window.removeEventListener('click', onClick, { capture: true });
  };
}

const pressableAt = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(PRESSABLE) : null;

/** True for a button that only opens a menu, which is harmless. */
const opensMenu = (button: Element): boolean => button.hasAttribute('aria-haspopup');

/** True for a button with the same `data-repeats`, and for the pressed one when it reappears after a confirmation. */
function isRepeat(button: Element, { button: before, box }: Pressed): boolean {
  const act = button.getAttribute('data-repeats');
  if (act !== null && act === before.getAttribute('data-repeats')) return true;
  const { left, top } = button.getBoundingClientRect();
  return nameOf(button) === nameOf(before) && left === box.left && top === box.top;
}

const nameOf = (button: Element): string | null => button.getAttribute('aria-label') ?? button.textContent;

const isIn = ({ clientX, clientY }: PointerEvent, box: DOMRect): boolean =>
  clientX >= box.left - TREMOR_PX &&
  clientX <= box.right + TREMOR_PX &&
  clientY >= box.top - TREMOR_PX &&
  clientY <= box.bottom + TREMOR_PX;
