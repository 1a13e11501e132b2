// The keys of a log: through it, Ctrl+A, and Ctrl+C as in a terminal. What is copied is what the program printed.
import { copyText } from '../../state/page/copy.ts';
import type { LogSelection } from './log-selection.ts';

/** As browsers have it. */
const PAGE_SHARE = 0.9;
const ARROW_PX = 40;

interface LogKeysOptions {
  readonly element: HTMLElement;
  readonly selection: LogSelection;
  readonly toEnd: () => void;
  /** What Ctrl+C does where nothing is selected. */
  readonly interrupt: () => void;
}

export function answerKeys({ element, selection, toEnd, interrupt }: LogKeysOptions): void {
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') selection.clear();
    scrollByKey(event, element, toEnd);
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'a') {
      event.preventDefault();
      selection.selectAll();
    } else if (key === 'c' && event.ctrlKey) {
      // What the browser has selected it copies itself; with Shift it would open its tools.
      if (!event.shiftKey && isSelected()) return;
      event.preventDefault();
      if (!selection.isEmpty) void copyText(selection.text());
      else if (!event.shiftKey && !event.repeat) interrupt();
    }
  });
}

/** At once: a browser scrolls by keys little by little, and every drawing in between would end that. */
function scrollByKey(event: KeyboardEvent, element: HTMLElement, toEnd: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target !== element) return;
  const page = element.clientHeight * PAGE_SHARE;
  const by = { PageUp: -page, PageDown: page, ArrowUp: -ARROW_PX, ArrowDown: ARROW_PX }[event.key];
  if (event.key === 'End') toEnd();
  else if (event.key === 'Home') element.scrollTop = 0;
  else if (by !== undefined) element.scrollTop += by;
  else return;
  event.preventDefault();
}

/** Whether anything on the page is selected, and so is what a person sees they would copy. */
const isSelected = (): boolean => document.getSelection()?.isCollapsed === false;
