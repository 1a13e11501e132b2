// The few keys that are not sent to the program: copy, paste and, without a tty, interrupt, as usual on the platform.
import type { Terminal } from '@xterm/xterm';
import { copyText } from '../../state/page/copy.ts';
import type { Platform } from '../../state/page/platform.ts';

/** Action of a key; `browser`: the browser turns it into a copy or paste event; `program`: the terminal sends it. */
export type KeyAct = 'copy' | 'interrupt' | 'browser' | 'program';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

interface Situation {
  readonly platform: Platform;
  readonly hasSelection: boolean;
  /** False for a process without a tty: the page must then send a signal for Ctrl+C. */
  readonly isTty: boolean;
}

export function keyAct(event: Key, { platform, hasSelection, isTty }: Situation): KeyAct {
  const { ctrlKey, shiftKey, altKey, metaKey } = event;
  const key = event.key.toLowerCase();
  if (key === 'insert' && !altKey && !metaKey && ctrlKey !== shiftKey) return 'browser';
  if (platform === 'mac' && metaKey && !ctrlKey && !altKey && (key === 'c' || key === 'v')) return 'browser';
  if (!ctrlKey || altKey || metaKey) return 'program';
  if (key === 'v' && (shiftKey || platform === 'windows')) return 'browser';
  if (key !== 'c') return 'program';
  // ⌘C copies on a Mac, so there Ctrl+C interrupts even with a selection.
  if (shiftKey || (hasSelection && platform !== 'mac')) return 'copy';
  return isTty ? 'program' : 'interrupt';
}

export interface TerminalKeys {
  readonly terminal: Terminal;
  readonly platform: Platform;
  readonly isTty: boolean;
  /** Returns true once after the selected text was evicted from the scrollback, unless the mouse was pressed since. */
  readonly takeGoneSelection: () => boolean;
  readonly hint: (hint: string) => void;
  readonly interrupt: () => void;
}

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta'];

/** Performs the copy or interrupt that a key requests; returns false for a key that the terminal must not handle. */
export function handleKey(
  event: KeyboardEvent,
  { terminal, platform, isTty, takeGoneSelection, hint, interrupt }: TerminalKeys,
): boolean {
  // An input method receives all keys while it is composing.
  if (event.type !== 'keydown' || event.isComposing) return true;
  const hasGone = !MODIFIERS.includes(event.key) && takeGoneSelection();
  const hasSelection = terminal.hasSelection() || hasGone;
  const act = keyAct(event, { platform, hasSelection, isTty });
  if (act === 'program') {
    if (!isTty && isLetter(event)) hint('Not sent: this process has no terminal');
    return true;
  }
  if (act === 'browser') return false;
  // Ctrl+Shift+C would open the browser's developer tools.
  event.preventDefault();
  if (act === 'interrupt') {
    if (!event.repeat) interrupt();
  } else if (terminal.hasSelection()) copySelection(terminal);
  else if (hasGone) hint('Not copied: the selected text was evicted from the scrollback');
  return false;
}

/** True for Enter, and for a key that produces a character. */
const isLetter = ({ key, ctrlKey, altKey, metaKey }: Key): boolean =>
  !ctrlKey && !altKey && !metaKey && (key.length === 1 || key === 'Enter');

function copySelection(terminal: Terminal): void {
  // A failed copy keeps the selection, so that nobody assumes it was copied.
  void copyText(selectedText(terminal)).then((isCopied) => {
    if (isCopied) terminal.clearSelection();
  });
}

/** Returns the selection with wrapped lines joined and trailing blanks removed, since these only pad the screen. */
const selectedText = (terminal: Terminal): string => terminal.getSelection().replaceAll(/[ \t]+$/gm, '');

/** Makes the browser's own copy commands, such as its menu, copy the same text as the copy shortcut. */
export function giveCopies(element: HTMLElement, terminal: Terminal): void {
  element.addEventListener(
    'copy',
    (event) => {
      if (!terminal.hasSelection()) return;
      event.preventDefault();
      event.stopPropagation();
      event.clipboardData?.setData('text/plain', selectedText(terminal));
    },
    { capture: true },
  );
}

/** Handles pastes before the terminal does, so that control characters in them have no effect. */
export function takePastes(element: HTMLElement, paste: (text: string) => void): void {
  element.addEventListener(
    'paste',
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      paste(event.clipboardData?.getData('text/plain') ?? '');
    },
    { capture: true },
  );
}
