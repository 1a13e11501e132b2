// How an xterm is made for a process, and what of it people choose.
import { Terminal, type ITerminalInitOnlyOptions, type ITerminalOptions } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../../text/terminal-rules.ts';
import { settingsStore } from '../../state/page/settings-store.ts';
import { isTouch } from '../../state/page/platform.ts';
import { ScrollBarByFrame } from './scroll-bar.ts';
import { terminalFont } from '../../state/page/terminal-font.ts';
import { terminalTheme } from './terminal-theme.ts';

/** Of that process, not open yet. */
export function newTerminal(info: ProcessInfo): Terminal {
  const terminal = new Terminal(optionsFor(info));
  applyTerminalRules(terminal);
  return terminal;
}

function optionsFor({ size, tty }: ProcessInfo): ITerminalOptions & ITerminalInitOnlyOptions {
  return {
    ...TERMINAL_OPTIONS,
    cols: size?.cols ?? 80,
    rows: size?.rows ?? 24,
    convertEol: !tty,
    disableStdin: !tty,
    cursorInactiveStyle: tty ? 'outline' : 'none',
    theme: terminalTheme(),
    // It would lie over the last columns, and a finger needs none.
    ...(isTouch() && { scrollbar: { showScrollbar: false } }),
    vtExtensions: { kittyKeyboard: true },
    // Where Option is Alt, there is no other way to select in a program that has the mouse.
    macOptionClickForcesSelection: true,
    ...chosen(),
  };
}

/** Once, before anything is written to it. */
export function openTerminal(terminal: Terminal, host: HTMLElement): void {
  terminal.open(host);
  terminal.loadAddon(new ScrollBarByFrame());
}

/** A Tab key goes past a terminal: only a click, or what the page does on purpose, gives it the keyboard. */
export function followKeyboard({ textarea }: Terminal, changed: (hasKeyboard: boolean) => void): void {
  if (!textarea) return;
  textarea.tabIndex = -1;
  textarea.addEventListener('focus', () => changed(true));
  textarea.addEventListener('blur', () => changed(false));
}

/** The size of the letters is its pane's; see PaneFit. */
export function applySettings(terminal: Terminal): void {
  const { fontSize: _, ...options } = chosen();
  Object.assign(terminal.options, options);
}

function chosen() {
  const { scrollback, cursorStyle, cursorBlink } = settingsStore.getState();
  return { ...terminalFont(), scrollback, cursorStyle, cursorBlink };
}
