// Keys of a log: scrolling, Ctrl+A, Escape, and Ctrl+C as in a terminal. Copied text is the program's output.
import { copyText } from '../../state/page/copy.ts';
import type { LogSelection } from './log-selection.ts';

/** Fraction of the height that Page Up and Page Down scroll, as in browsers. */
const PAGE_SHARE = 0.9;
const ARROW_PX = 40;

interface LogKeysOptions {
  readonly element: HTMLElement;
  readonly selection: LogSelection;
  readonly toStart: () => void;
  readonly toEnd: () => void;
  /** Called for Ctrl+C without a selection. */
  readonly interrupt: () => void;
}

export function answerKeys(options: LogKeysOptions): void {
  const { element, selection, interrupt } = options;
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') selection.clear();
    scrollByKey(event, options);
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'a') {
      event.preventDefault();
      selection.selectAll();
    } else if (key === 'c' && event.ctrlKey) {
      // The browser copies its own selection, but Ctrl+Shift+C would open its developer tools.
      if (!event.shiftKey && isSelected()) return;
      event.preventDefault();
      if (!selection.isEmpty) void copyText(selection.text());
      else if (!event.shiftKey && !event.repeat) interrupt();
    }
  });
}

/** Scrolls immediately: the browser's smooth scrolling would be interrupted by every redraw. */
function scrollByKey(event: KeyboardEvent, { element, toStart, toEnd }: LogKeysOptions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target !== element) return;
  const page = element.clientHeight * PAGE_SHARE;
  const by = { PageUp: -page, PageDown: page, ArrowUp: -ARROW_PX, ArrowDown: ARROW_PX }[event.key];
  if (event.key === 'End') toEnd();
  else if (event.key === 'Home') toStart();
  else if (by !== undefined) element.scrollTop += by;
  else return;
  event.preventDefault();
}

/** True when something on the page is selected, which people then expect to copy. */
const isSelected = (): boolean => document.getSelection()?.isCollapsed === false;
