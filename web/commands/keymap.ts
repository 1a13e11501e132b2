// Maps keys to commands, before any other listener. A terminal that has the keyboard keeps all but the one that takes
// it back.
import type { ConsoleParts } from '../parts/console-context.tsx';
import { takesTyping } from '../state/processes/ready-to-type.ts';
import { listOrder, noteMove } from '../state/processes/list-order.ts';
import { processStore } from '../state/processes/process-store.ts';
import { listView } from '../state/page/list-view.ts';
import { tellProblem } from '../state/page/page-store.ts';
import { isMac } from '../state/page/platform.ts';
import { pressedStore, type Armed } from './armed.ts';
import { contextNow, type Binding, type Command, type CommandContext, type KeyScope } from './command.ts';
import { COMMANDS, isOffered } from './commands.ts';
import { swallowHeldKeys } from './held-keys.ts';
import { matches, parseStroke, strokesOf, type Stroke } from './key-bindings.ts';

/** Time within which the second key of a pair must follow: enough to read its effect. */
const NEXT_STROKE_MS = 3000;
/** Most keys that wait for the busiest row, and the longest time that they wait; further keys are dropped. */
const MOST_WAITING = 8;
const WAITING_MS = 5000;

const TOO_LATE = (key: string): string =>
  `${key} did nothing: to find the busiest row took too long. Press it again on the row that you mean.`;
const OTHER_ROW = (key: string): string =>
  `${key} did nothing: you went elsewhere before the busiest row was known. Press it again on the row that you mean.`;
const NO_ROW = (key: string): string =>
  `${key} did nothing: no row has the focus. Choose one with j and k, and press it there.`;

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

/** Returns a function that removes the listeners. */
export function listenForKeys(parts: ConsoleParts): () => void {
  /** Bindings begun by the key before, and the time until which the next key counts. */
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
    // Untrusted events come from the page itself, for a part of it.
    if (
      !event.isTrusted ||
      event.isComposing ||
      isModifier(event.key) ||
      pressesIt(event) ||
      document.querySelector('dialog[open], [aria-modal]:popover-open')
    )
      return;
    const context = contextNow(parts);
    setArmed(null);
    if (isForBusiestRow(event)) {
      if (!event.repeat && waitingKeys.length < MOST_WAITING) setWaiting([...waitingKeys, event]);
      swallow(event);
      return;
    }
    if (context.isInList) noteMove();
    // The focus may have moved to another row: a pair of keys is for one row.
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
      if (!event.repeat) tellWhyNot(event, context, counts);
      if (isPagesOwn(event, counts)) swallow(event);
      // The program gets the key, and the browser does not act on a chord that people know as the page's.
      else if (isPagesOwn(event, (scope) => scope === 'field')) event.preventDefault();
      return;
    }
    swallow(event);
    // A repeat of a key that is held down is no second press.
    if (event.repeat && !first.command.repeats) return;
    if (first.strokes.length > 1 && !waiting.includes(first)) {
      const { subject } = context;
      // The time begins when the offer is shown, since the key may have waited for the busiest row.
      begun = { bound: meant, subject, untilMs: performance.now() + NEXT_STROKE_MS };
      const again = first.command.again?.(context);
      if (again && subject !== null) setArmed({ ...again, subject, stroke: event.key });
    } else {
      first.command.run(context);
    }
  };
  const onFocus = (): void => {
    const { armed } = pressedStore.getState();
    if (armed && armed.subject !== contextNow(parts).subject) setArmed(null);
  };
  // Keys typed ahead go to the busiest row, and to no other.
  const unsubscribe = listOrder.subscribe(({ isMeasuring, isAimed }, before) => {
    if (isMeasuring || !before.isMeasuring) return;
    const waited = waitingKeys;
    setWaiting([]);
    const isLate = waited.some(({ timeStamp }) => performance.now() - timeStamp >= WAITING_MS);
    const isUsed = isAimed && !isLate;
    for (const event of waited) if (isUsed && contextNow(parts).isOnRow) listener(event);
    const [first] = waited;
    if (first && !isUsed) tellProblem(isLate ? TOO_LATE(first.key) : OTHER_ROW(first.key));
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

/** True for a key that is meant for the busiest row, which is not known yet. */
function isForBusiestRow(event: KeyboardEvent): boolean {
  return (
    listOrder.getState().isMeasuring &&
    isBesideRows() &&
    BOUND.some(
      ({ scope, strokes }) => scope === 'row' && strokes.some((stroke) => matches(stroke, event, isMac)),
    )
  );
}

/** True where the keys of the list count, and no row of it has the focus. */
const isBesideRows = (): boolean =>
  document.activeElement?.role === 'treegrid' || document.activeElement === document.body;

type Counts = (scope: KeyScope) => boolean;

/** Scopes in which a key counts, by the element in which it is pressed. */
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

/** True for a chord of the page, which neither the browser nor a program gets even where it has no effect. */
const isPagesOwn = (event: KeyboardEvent, counts: Counts): boolean =>
  BOUND.some(
    ({ scope, strokes: [stroke] }) =>
      (scope === 'terminal' || scope === 'field') && counts(scope) && stroke && matches(stroke, event, isMac),
  );

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Explains, where the keys count, why the person may not use them. */
function tellWhyNot(event: KeyboardEvent, context: CommandContext, counts: Counts): void {
  for (const { command, scope, strokes } of BOUND) {
    const [stroke] = strokes;
    if (!stroke || !counts(scope)) continue;
    const why =
      matches(stroke, event, isMac) && isOffered(command) ? (command.whyNot?.(context) ?? null) : null;
    if (why === null) continue;
    event.preventDefault();
    tellProblem(why);
    return;
  }
  // The explanation about rows is only for keys whose second press ends something, not for any letter.
  const isOfRows = BOUND.some(
    ({ scope, strokes: [first, second] }) =>
      scope === 'row' && first && second && matches(first, event, isMac),
  );
  if (isOfRows && isBesideRows() && listView.getState().rows) tellProblem(NO_ROW(event.key));
}

const isModifier = (key: string): boolean => ['Control', 'Shift', 'Alt', 'Meta'].includes(key);

/** True for Enter on a link or a button, which acts on that, also in a row. */
const pressesIt = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('a[href], button');

/** True for a terminal whose program reads input; keys in a terminal that is only viewed belong to the page. */
function isOfProgram(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || !target.closest('.xterm')) return false;
  const { mayOnlyLook, processes } = processStore.getState();
  const key = target.closest<HTMLElement>('[data-process-key]')?.dataset['processKey'];
  const info = key === undefined ? undefined : processes[key];
  return info !== undefined && takesTyping(info) && !mayOnlyLook;
}

/** True for a terminal, a field or a menu, which keep the keys typed into them. */
function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const fields = 'textarea, select, input:not([type="checkbox"], [type="radio"])';
  return target.matches(fields) || target.isContentEditable || target.closest('[role="menu"]') !== null;
}
