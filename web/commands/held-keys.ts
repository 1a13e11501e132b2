// Repeats of a key that is held down: they never start an act, and never reach what the key was not pressed in.

/** Elements that Enter acts on by itself, each time it is repeated. A search goes on to the next match. */
const PRESSED_BY_ENTER = 'a[href], button, input, select, summary';

/** Returns its own undo. To be called before any other listener for keys is added. */
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

/** Keys that move the focus go on in what they have moved it to, unless a program would get them or a field take a letter. */
function isFromElsewhere({ key, target }: KeyboardEvent, pressedIn: EventTarget | null): boolean {
  if (target === pressedIn || !(target instanceof Element)) return false;
  if (key === 'Enter' || key === ' ' || target.closest('.xterm') !== null) return true;
  return key.length === 1 && target.matches('input, textarea, select');
}
