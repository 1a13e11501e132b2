// Maps keys to commands, before the elements of the page receive them. A focused terminal receives all keys except the
// one that leaves it.
import type { ConsoleParts } from '../parts/console-context.tsx';
import { takesTyping } from '../state/processes/ready-to-type.ts';
import { listOrder, noteMove } from '../state/processes/list-order.ts';
import { keyCame } from '../state/approvals/settled.ts';
import { processStore } from '../state/processes/process-store.ts';
import { listView } from '../state/page/list-view.ts';
import { showProblem } from '../state/page/page-store.ts';
import { isMac } from '../state/page/platform.ts';
import { pressedStore, type Armed } from './armed.ts';
import {
  contextNow,
  rowPlace,
  type Binding,
  type Command,
  type CommandContext,
  type KeyScope,
} from './command.ts';
import { COMMANDS, isOffered } from './commands.ts';
import { swallowHeldKeys } from './held-keys.ts';
import { capsOf, matches, parseStroke, strokesOf, type Stroke } from './key-bindings.ts';

/** Time for the second key of a pair: long enough to read what it would do. */
const NEXT_STROKE_MS = 3000;
/** Maximum number of keys queued while the busiest row is unknown, and the time after which they are dropped. */
const MOST_WAITING = 8;
const WAITING_MS = 5000;

const TOO_LATE = (key: string): string =>
  `${key} did nothing: finding the busiest row took too long. Press it again.`;
const OTHER_ROW = (key: string): string =>
  `${key} did nothing: the focus moved before the busiest row was known. Press it again on the row you want.`;
const NO_ROW = (key: string): string => `${key} did nothing: no row is focused. Choose a row with j and k.`;
const IN_LOG = (key: string): string =>
  `${key} did nothing: it acts on a row of the list, not in a log. Press ${capsOf('Mod+Shift+L', isMac).join('+')} to go to the list.`;

interface Bound {
  readonly command: Command;
  readonly scope: Binding['scope'];
  readonly strokes: readonly Stroke[];
}

interface Begun {
  readonly bound: readonly Bound[];
  readonly subject: string | null;
  readonly untilMs: number;
}

const BOUND: readonly Bound[] = COMMANDS.flatMap((command) =>
  (command.keys ?? []).map(({ keys, scope }) => ({
    command,
    scope,
    strokes: strokesOf(keys).map(parseStroke),
  })),
);

/** Starts the listeners; returns a function that removes them. */
export function listenForKeys(parts: ConsoleParts): () => void {
  /** Bindings whose first key was pressed, and the time until which the second key counts. */
  let begun: Begun | null = null;
  let waitingKeys: readonly KeyboardEvent[] = [];
  const setWaiting = (events: readonly KeyboardEvent[]): void => {
    waitingKeys = events;
    pressedStore.setState({ waiting: events.map(({ key }) => key) });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setArmed = (armed: Armed | null): void => {
    clearTimeout(timer);
    if (armed) timer = setTimeout(setArmed, NEXT_STROKE_MS, null);
    if (pressedStore.getState().armed !== armed) pressedStore.setState({ armed });
  };
  const listener = (event: KeyboardEvent): void => {
    // Untrusted events are dispatched by the page itself, for one of its parts.
    if (
      !event.isTrusted ||
      event.isComposing ||
      isModifier(event.key) ||
      pressesIt(event) ||
      document.querySelector('dialog[open], [aria-modal]:popover-open')
    )
      return;
    const context = contextNow(parts);
    if (context.request) keyCame(context.request);
    setArmed(null);
    if (isForBusiestRow(event)) {
      if (!event.repeat && waitingKeys.length < MOST_WAITING) setWaiting([...waitingKeys, event]);
      swallow(event);
      return;
    }
    if (context.isInList) noteMove();
    // Both keys of a pair must be pressed on the same row: the focus may have moved in between.
    const goesOn = begun?.subject === context.subject && event.timeStamp < begun.untilMs;
    const waiting = begun && goesOn ? begun.bound : [];
    begun = null;
    const counts = whereCounted(event.target, context);
    const isMeant = ({ command, scope, strokes }: Bound, at: number): boolean => {
      const stroke = strokes[at];
      if (!stroke || !counts(scope)) return false;
      return matches(stroke, event, isMac) && isOffered(command) && command.when(context);
    };
    const meant = [
      ...waiting.filter((bound) => isMeant(bound, 1)),
      ...BOUND.filter((bound) => isMeant(bound, 0) && !waiting.includes(bound)),
    ];
    const [first] = meant;
    if (!first) {
      if (!event.repeat) reportWhyNot(event, context, counts);
      if (isPagesOwn(event, counts)) swallow(event);
      // The program gets the key, but the browser must not act on a shortcut that the page uses outside terminals.
      else if (isPagesOwn(event, (scope) => scope === 'field')) event.preventDefault();
      return;
    }
    swallow(event);
    // A repeat of a held key is not a second press.
    if (event.repeat && !first.command.repeats) return;
    if (first.strokes.length > 1 && !waiting.includes(first)) {
      const { subject } = context;
      // The time limit starts when the hint is shown, since the key may have waited for the busiest row.
      begun = { bound: meant, subject, untilMs: performance.now() + NEXT_STROKE_MS };
      const again = first.command.again?.(context);
      if (again && subject !== null)
        setArmed({ ...again, subject, place: rowPlace(context), stroke: event.key });
    } else {
      first.command.run(context);
    }
  };
  const onFocus = (): void => {
    const { armed } = pressedStore.getState();
    if (armed && armed.subject !== contextNow(parts).subject) setArmed(null);
  };
  // Keys typed ahead apply only to the busiest row.
  const unsubscribe = listOrder.subscribe(({ isMeasuring, isAimed }, before) => {
    if (isMeasuring || !before.isMeasuring) return;
    const waited = waitingKeys;
    setWaiting([]);
    const isLate = waited.some(({ timeStamp }) => performance.now() - timeStamp >= WAITING_MS);
    const isUsed = isAimed && !isLate;
    for (const event of waited) if (isUsed && contextNow(parts).isOnRow) listener(event);
    const [first] = waited;
    if (first && !isUsed) showProblem(isLate ? TOO_LATE(first.key) : OTHER_ROW(first.key));
  });
  const stopSwallowing = swallowHeldKeys();
  window.addEventListener('keydown', listener, { capture: true });
  window.addEventListener('focusin', onFocus);
  return () => {
    stopSwallowing();
    window.removeEventListener('keydown', listener, { capture: true });
    window.removeEventListener('focusin', onFocus);
    unsubscribe();
    setArmed(null);
  };
}

/** True for a key meant for the busiest row while that row is still unknown. */
function isForBusiestRow(event: KeyboardEvent): boolean {
  return (
    listOrder.getState().isMeasuring &&
    isBesideRows() &&
    BOUND.some(
      ({ scope, strokes }) => scope === 'row' && strokes.some((stroke) => matches(stroke, event, isMac)),
    )
  );
}

/** True where the list's keys work but no row has the focus. */
const isBesideRows = (): boolean =>
  document.activeElement?.role === 'treegrid' || document.activeElement === document.body;

type Counts = (scope: KeyScope) => boolean;

/** Returns a test for the scopes that apply to a key, given the element in which the key was pressed. */
function whereCounted(target: EventTarget | null, { isOnPane, isOnRow, request }: CommandContext): Counts {
  const isTyping = isTypedInto(target);
  const isProgram = isOfProgram(target);
  return (scope) => {
    if (scope === 'terminal') return true;
    if (scope === 'field') return !isProgram;
    if (isTyping) return false;
    if (scope === 'request') return request !== null;
    return scope === 'page' || (scope === 'pane' ? isOnPane : isOnRow);
  };
}

/**
 * True for a shortcut of the scope `field` or `terminal`, if `counts` accepts the scope. Such a shortcut is reserved
 * for the page even while its command is unavailable.
 */
const isPagesOwn = (event: KeyboardEvent, counts: Counts): boolean =>
  BOUND.some(
    ({ scope, strokes: [stroke] }) =>
      (scope === 'terminal' || scope === 'field') && counts(scope) && stroke && matches(stroke, event, isMac),
  );

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Explains why a key had no effect: its command is unavailable, no row has the focus, or the key was pressed in a log.
 */
function reportWhyNot(event: KeyboardEvent, context: CommandContext, counts: Counts): void {
  for (const { command, scope, strokes } of BOUND) {
    const [stroke] = strokes;
    if (!stroke || !counts(scope)) continue;
    const why =
      matches(stroke, event, isMac) && isOffered(command) ? (command.whyNot?.(context) ?? null) : null;
    if (why === null) continue;
    event.preventDefault();
    showProblem(why);
    return;
  }
  // Only keys that act on a row's process when pressed twice are explained, since people also press other letters.
  const ofRows = BOUND.filter(
    ({ command, scope, strokes: [first, second] }) =>
      scope === 'row' && first && second && isOffered(command) && matches(first, event, isMac),
  );
  if (ofRows.length === 0 || !listView.getState().rows) return;
  if (isBesideRows()) showProblem(NO_ROW(event.key));
  // A click on a row moves the focus from the row to the log, where the row's keys look as if they should work.
  else if (isInLiveLog(event.target) && ofRows.some(({ command }) => command.when(context)))
    showProblem(IN_LOG(event.key));
}

/** True in the log of a pane; a replay has its own keys. */
const isInLiveLog = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('[data-place="pane"] [aria-label="Log"]') &&
  !target.closest('[data-replay-state]');

const isModifier = (key: string): boolean => ['Control', 'Shift', 'Alt', 'Meta'].includes(key);

/** True for Enter on a link or button, which the browser activates even in a row. */
const pressesIt = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('a[href], button');

/** True for a terminal whose program reads input; in a read-only terminal, keys belong to the page. */
function isOfProgram(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || !target.closest('.xterm')) return false;
  const { isReadOnly, processes } = processStore.getState();
  const key = target.closest<HTMLElement>('[data-process-key]')?.dataset['processKey'];
  const info = key === undefined ? undefined : processes[key];
  return info !== undefined && takesTyping(info) && !isReadOnly;
}

/** True for a terminal, field or menu, which receive the keys typed into them. */
function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const fields = 'textarea, select, input:not([type="checkbox"], [type="radio"])';
  return target.matches(fields) || target.isContentEditable || target.closest('[role="menu"]') !== null;
}
