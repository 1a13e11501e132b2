// Filters the repeats of a held key: outside a search bar, they activate no button or link, and they reach no program
// or text field other than the one in which the key was pressed.

/**
 * Elements that the browser activates on each repeat of Enter. In a search bar, Enter goes to the next match and
 * may repeat.
 */
const PRESSED_BY_ENTER = 'a[href], button, input, select, summary';

/** Starts the listener; returns a function that removes it. Call it before any other key listener is added. */
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
 * True for a repeat that reaches an element other than the one in which the key was pressed, if the key is
 * Enter or Space, or if a program or a text field would receive it. Other keys may repeat there, such as
 * those that move the focus.
 */
function isFromElsewhere({ key, target }: KeyboardEvent, pressedIn: EventTarget | null): boolean {
  if (target === pressedIn || !(target instanceof Element)) return false;
  if (key === 'Enter' || key === ' ' || target.closest('.xterm') !== null) return true;
  return key.length === 1 && target.matches('input, textarea, select');
}
