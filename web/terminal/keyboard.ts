// The few keys that are not the program's: copying and pasting, as people expect them.
import type { Terminal } from '@xterm/xterm';
import { copyText } from '../ui/copy.ts';
import { safePaste } from './paste.ts';

/** False for a key that the terminal must not handle. `interrupt`: what Ctrl+C does where no tty makes a signal of it. */
export function handleKey(event: KeyboardEvent, terminal: Terminal, interrupt: (() => void) | null): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey || event.altKey || event.metaKey) return true;
  const key = event.key.toLowerCase();
  // The browser turns these into a paste event by itself.
  if (key === 'v' && event.shiftKey) return false;
  const copies = key === 'c' && (event.shiftKey || terminal.hasSelection());
  if (!copies && key === 'c' && interrupt) {
    event.preventDefault();
    interrupt();
    return false;
  }
  if (!copies) return true;
  // Ctrl+Shift+C would open the developer tools.
  event.preventDefault();
  if (terminal.hasSelection()) {
    const text = selectedText(terminal);
    // Where it was not copied the selection stays, so that nobody believes it was copied.
    void copyText(text).then((isCopied) => {
      if (isCopied) terminal.clearSelection();
    });
  }
  return false;
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
export function sendPastes(element: HTMLElement, terminal: Terminal): void {
  element.addEventListener(
    'paste',
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text) terminal.paste(safePaste(text));
    },
    { capture: true },
  );
}
