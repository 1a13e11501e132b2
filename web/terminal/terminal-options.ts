// How an xterm is made for a process, and what of it people choose.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import type { ITerminalInitOnlyOptions, ITerminalOptions, Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { settingsStore } from '../settings/settings-store.ts';
import { isTouch } from '../ui/platform.ts';
import { ScrollBarByFrame } from './scroll-bar.ts';
import { terminalFont } from './terminal-font.ts';
import { terminalTheme } from './terminal-theme.ts';

export function terminalOptions({ size, tty }: ProcessInfo): ITerminalOptions & ITerminalInitOnlyOptions {
  return {
    cols: size?.cols ?? 80,
    rows: size?.rows ?? 24,
    convertEol: !tty,
    disableStdin: !tty,
    cursorInactiveStyle: tty ? 'outline' : 'none',
    theme: terminalTheme(),
    // It would lie over the last columns, and a finger needs none.
    ...(isTouch() && { scrollbar: { showScrollbar: false } }),
    allowProposedApi: true,
    // Where Option is Alt, there is no other way to select in a program that has the mouse.
    macOptionClickForcesSelection: true,
    ...chosen(),
  };
}

/** Once, before anything is written to it. */
export function openTerminal(terminal: Terminal, host: HTMLElement): void {
  terminal.loadAddon(new UnicodeGraphemesAddon());
  // As the gateway's own screens have it, whose snapshots take this one's place.
  terminal.unicode.activeVersion = '15-graphemes';
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
