// Terminal of a replay: its text can be searched and copied, and it sends no input.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Size } from '../../../protocol/scalars.ts';
import { missingText } from '../../../text/missing-output.ts';
import type { Searchable, PaneMatches } from '../../state/processes/searchable.ts';
import { screenText, type ScreenText } from '../terminal/buffer-text.ts';
import { ABORT, RESET } from '../terminal/control-sequences.ts';
import { copyText } from '../../state/page/copy.ts';
import { keyAct } from '../terminal/copy-and-paste.ts';
import { offerLinks } from '../terminal/links.ts';
import { PaneFit } from '../terminal/pane-fit.ts';
import { PaneSearch } from '../terminal/pane-search.ts';
import { platform } from '../../state/page/platform.ts';
import { applySettings, newTerminal, openTerminal } from '../terminal/terminal-options.ts';
import { TerminalWriter } from '../terminal/terminal-output.ts';
import { terminalTheme } from '../terminal/terminal-theme.ts';
import { zoomByPinch } from '../terminal/touch.ts';
import { settingsStore } from '../../state/page/settings-store.ts';
import { onThemeChange } from '../../state/page/theme-store.ts';
import { fromBase64 } from '../../../client/bytes.ts';
import type { MomentResult } from '../../../protocol/replay.ts';
import type { Frame } from './replay-source.ts';

/** Modes in which a program receives mouse events, and modes that set the encoding of these events. */
const MOUSE_MODES: readonly unknown[] = [9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016];

/** Ignores mouse requests: a replay has no program, and people select with the mouse. */
function leaveMouseToPerson({ parser }: Pick<Terminal, 'parser'>): void {
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) =>
    params.every((mode) => MOUSE_MODES.includes(mode)),
  );
}

export class ReplayTerminal {
  readonly element = document.createElement('div');
  readonly search: Searchable;
  readonly #terminal;
  readonly #writer: TerminalWriter;
  readonly #fit: PaneFit;
  readonly #endings: (() => void)[] = [];
  #owedBytes = 0;
  /** Terminal size of the last output written. */
  #size: Size | null = null;

  constructor(info: ProcessInfo, found: (matches: PaneMatches) => void) {
    this.element.className = 'terminal-host';
    const terminal = newTerminal(info);
    this.#terminal = terminal;
    terminal.options.disableStdin = true;
    terminal.options.cursorInactiveStyle = info.tty ? 'block' : 'none';
    this.#writer = new TerminalWriter(terminal);
    // The recording determines the size; the screen is scaled to fit the pane, as for watchers without control.
    this.#fit = new PaneFit({
      terminal,
      element: this.element,
      resize: info.tty ? () => Promise.resolve() : null,
    });
    const search = new PaneSearch(terminal, found);
    this.search = search;
    this.#endings.push(() => search.dispose());
    offerLinks(terminal, () => undefined);
    openTerminal(terminal, this.element);
    leaveMouseToPerson(terminal);
    zoomByPinch(this.element, (factor) => {
      this.#fit.zoom(factor);
      this.layOut();
    });
    if (terminal.textarea) terminal.textarea.tabIndex = -1;
    terminal.attachCustomKeyEventHandler((event) => {
      const situation = { platform, hasSelection: terminal.hasSelection(), isTty: info.tty };
      if (event.type === 'keydown' && keyAct(event, situation) === 'copy') {
        event.preventDefault();
        void copyText(terminal.getSelection());
      }
      // All other keys belong to the surrounding replay.
      return false;
    });
    this.#endings.push(
      settingsStore.subscribe(() => {
        applySettings(terminal);
        this.layOut();
      }),
      onThemeChange(() => (terminal.options.theme = terminalTheme())),
    );
  }

  /** Bytes written but not drawn yet. */
  get owedBytes(): number {
    return this.#owedBytes;
  }

  layOut(): void {
    this.#fit.layOut(false);
  }

  /** Replaces the screen; resolves once it is drawn. */
  show({ rows, cols, data }: Pick<MomentResult, 'rows' | 'cols' | 'data'>): Promise<void> {
    return new Promise((resolve) => {
      // Abort any sequence of earlier output first, because an xterm.js resize parses what was written before it.
      this.#writer.write(`${ABORT}${RESET}`);
      if (rows > 0) this.#resize({ rows, cols });
      this.#writer.write(fromBase64(data), resolve);
    });
  }

  write({ bytes, size, missedBytes }: Frame): void {
    if (size) this.#resize(size);
    if (missedBytes > 0) this.#writer.write(`${ABORT}\r\n\u001b[2m${missingText(missedBytes)}\u001b[22m\r\n`);
    this.#owedBytes += bytes.length;
    this.#writer.write(bytes, () => (this.#owedBytes -= bytes.length));
  }

  #resize(size: Size): void {
    if (size.rows === this.#size?.rows && size.cols === this.#size.cols) return;
    this.#size = size;
    this.#writer.resize(size, () => this.layOut());
  }

  /** Resolves once everything written is drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.#writer.inTurn(resolve));
  }

  screen(): ScreenText {
    return screenText(this.#terminal);
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    for (const end of this.#endings) end();
    this.#fit.dispose();
    this.#terminal.dispose();
    this.element.remove();
  }
}
