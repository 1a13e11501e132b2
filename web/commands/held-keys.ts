// Repeats of a key that is held down: they never start an act, and never reach an element in which the key was not
// pressed.

/** Elements that act on each repeat of Enter by themselves. Enter in a search goes on to the next match. */
const PRESSED_BY_ENTER = 'a[href], button, input, select, summary';

/** Returns a function that removes the listener. To be called before any other listener for keys is added. */
export function swallowHeldKeys(): () => void {
  let pressed: { readonly code: string; readonly target: EventTarget | null } | null = null;
  const onKey = (event: KeyboardEvent): void => {
    if (!event.isTrusted) return;
    const { code, target, repeat } = event;
    if (!repeat) pressed = { code, target };
    else if (isAct(event) || isFromElsewhere(event, pressed?.code === code ? pressed.target : null)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

const isAct = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  target instanceof Element &&
  target.matches(PRESSED_BY_ENTER) &&
  target.closest('[role="search"]') === null;

/**
 * True for a repeat in another element than the press, except for keys that move the focus: those go on, unless a
 * program would get them or a field would take a letter.
 */
function isFromElsewhere({ key, target }: KeyboardEvent, pressedIn: EventTarget | null): boolean {
  if (target === pressedIn || !(target instanceof Element)) return false;
  if (key === 'Enter' || key === ' ' || target.closest('.xterm') !== null) return true;
  return key.length === 1 && target.matches('input, textarea, select');
}
