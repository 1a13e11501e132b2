// The few keys that are not the program's: copying, pasting and interrupting, as each platform's users expect them.
import type { Terminal } from '@xterm/xterm';
import { copyText } from '../../state/page/copy.ts';
import type { Platform } from '../../state/page/platform.ts';

/** `browser`: it makes a copy or paste event of it; `program`: the terminal sends it. */
export type KeyAct = 'copy' | 'interrupt' | 'browser' | 'program';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

interface Situation {
  readonly platform: Platform;
  readonly hasSelection: boolean;
  /** Without a tty nothing makes a signal of Ctrl+C. */
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
  // On a Mac ⌘C copies, and Ctrl+C interrupts whatever is selected.
  if (shiftKey || (hasSelection && platform !== 'mac')) return 'copy';
  return isTty ? 'program' : 'interrupt';
}

export interface TerminalKeys {
  readonly terminal: Terminal;
  readonly platform: Platform;
  readonly isTty: boolean;
  /** Whether what was selected has gone by itself, and no key was pressed since. */
  readonly takeGoneSelection: () => boolean;
  readonly hint: (hint: string) => void;
  readonly interrupt: () => void;
}

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta'];

/** False for a key that the terminal must not handle. */
export function handleKey(
  event: KeyboardEvent,
  { terminal, platform, isTty, takeGoneSelection, hint, interrupt }: TerminalKeys,
): boolean {
  // While characters are being composed every key is the input method's.
  if (event.type !== 'keydown' || event.isComposing) return true;
  const hasGone = !MODIFIERS.includes(event.key) && takeGoneSelection();
  const hasSelection = terminal.hasSelection() || hasGone;
  const act = keyAct(event, { platform, hasSelection, isTty });
  if (act === 'program') {
    if (!isTty && isLetter(event)) hint('Not typed: this process has no terminal');
    return true;
  }
  if (act === 'browser') return false;
  // Ctrl+Shift+C would open the developer tools.
  event.preventDefault();
  if (act === 'interrupt') {
    if (!event.repeat) interrupt();
  } else if (terminal.hasSelection()) copySelection(terminal);
  else if (hasGone) hint('Not copied: what was selected has been scrolled away');
  return false;
}

/** What a person would see typed. */
const isLetter = ({ key, ctrlKey, altKey, metaKey }: Key): boolean =>
  !ctrlKey && !altKey && !metaKey && (key.length === 1 || key === 'Enter');

function copySelection(terminal: Terminal): void {
  // Where it was not copied the selection stays, so that nobody believes it was copied.
  void copyText(selectedText(terminal)).then((isCopied) => {
    if (isCopied) terminal.clearSelection();
  });
}

/** Wrapped lines are one already; blanks at the ends of lines are only there to fill the screen. */
const selectedText = (terminal: Terminal): string => terminal.getSelection().replaceAll(/[ \t]+$/gm, '');

/** Copies by the browser's own ways, as its menu, are the same text. */
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

/** Takes pastes before the terminal does, so that nothing in them acts. */
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
