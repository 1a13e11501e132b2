// Creates the xterm of a process, with the options from the settings.
import { Terminal, type ITerminalInitOnlyOptions, type ITerminalOptions } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../../text/terminal-rules.ts';
import { settingsStore } from '../../state/page/settings-store.ts';
import { isTouch } from '../../state/page/platform.ts';
import { ScrollBarByFrame } from './scroll-bar.ts';
import { terminalFont } from '../../state/page/terminal-font.ts';
import { terminalTheme } from './terminal-theme.ts';

/** Returns a terminal for the process, not opened yet. */
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
    // The scrollbar would cover the last columns, and is not needed on touch devices.
    ...(isTouch() && { scrollbar: { showScrollbar: false } }),
    vtExtensions: { kittyKeyboard: true },
    // Option forces a selection on a Mac, the only way to select text in a program that uses the mouse.
    macOptionClickForcesSelection: true,
    ...chosen(),
  };
}

/** Opens the terminal. Call this once. */
export function openTerminal(terminal: Terminal, host: HTMLElement): void {
  terminal.open(host);
  terminal.loadAddon(new ScrollBarByFrame());
}

/**
 * Calls `changed` with true when the terminal gains the focus, and with false when the focus leaves. Also removes the
 * terminal from the Tab order, so that only a click, or the page itself, focuses it.
 */
export function followKeyboard({ textarea }: Terminal, changed: (hasKeyboard: boolean) => void): void {
  if (!textarea) return;
  textarea.tabIndex = -1;
  textarea.addEventListener('focus', () => changed(true));
  textarea.addEventListener('blur', () => changed(false));
}

/** Applies all settings except the font size, which PaneFit sets. */
export function applySettings(terminal: Terminal): void {
  const { fontSize: _, ...options } = chosen();
  Object.assign(terminal.options, options);
}

function chosen() {
  const { scrollback, cursorStyle, cursorBlink } = settingsStore.getState();
  return { ...terminalFont(), scrollback, cursorStyle, cursorBlink };
}
