// One process on the screen: its xterm, what reached it, its size. Outlives every pane that shows it; no React.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import type { Size } from '../../server/protocol/scalars.ts';
import type { Output, OutputSink, RemoteProcess } from '../client/exec-client.ts';
import { handleKey, sendPastes } from './keyboard.ts';
import { answerQueriesOnlyIf, isReport } from './query-replies.ts';
import { Sha256 } from './sha256.ts';
import { StreamTint } from './stream-tint.ts';
import { terminalTheme } from './terminal-theme.ts';
import { bufferText } from './buffer-text.ts';

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly missedBytes: number;
}

/** What a pane says about its terminal, beside what it shows. */
export interface TerminalState {
  readonly missedBytes: number;
  readonly isComplete: boolean;
  /** ms since the epoch; when the connection came back and everything missed had been caught up. */
  readonly reconnectedAtMs: number | null;
  /** Why nothing will come, if so. */
  readonly refusal: string | null;
}

export interface TerminalSessionOptions {
  readonly process: RemoteProcess;
  readonly info: ProcessInfo;
  readonly isOnline: () => boolean;
  readonly onState: (state: TerminalState) => void;
}

const FONT_FAMILY = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace';
const FONT_SIZE = 13;
const SMALLEST_FONT_SIZE = 5;
const SCROLLBACK_LINES = 10_000;
/** After a terminal soft-reset (RIS) nothing of what was there before can be mistaken for the present. */
const RESET = '\u001bc';

const encoder = new TextEncoder();

export class TerminalSession implements OutputSink {
  readonly process: RemoteProcess;
  readonly element = document.createElement('div');
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #options: TerminalSessionOptions;
  readonly #tint: StreamTint | null;
  readonly #hash = new Sha256();
  readonly #unfollow: () => void;
  #bytes = 0;
  #state: TerminalState = { missedBytes: 0, isComplete: false, reconnectedAtMs: null, refusal: null };
  /** Whether the bytes that are being parsed are live. */
  #isLive = false;
  #wanted: Size | null = null;

  constructor(options: TerminalSessionOptions) {
    const { process, info } = options;
    this.#options = options;
    this.process = process;
    this.element.className = 'terminal-host';
    this.#tint = info.tty ? null : new StreamTint();
    this.#terminal = new Terminal({
      cols: info.size?.cols ?? 80,
      rows: info.size?.rows ?? 24,
      convertEol: !info.tty,
      disableStdin: !info.tty,
      cursorBlink: false,
      cursorInactiveStyle: info.tty ? 'outline' : 'none',
      fontFamily: FONT_FAMILY,
      fontSize: FONT_SIZE,
      lineHeight: 1.15,
      scrollback: SCROLLBACK_LINES,
      theme: terminalTheme(),
      minimumContrastRatio: 4.5,
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(this.#fit);
    answerQueriesOnlyIf(this.#terminal, () => this.#isLive && process.controlled);
    this.#terminal.onData((data) => this.#typed(data));
    this.#terminal.onBinary((data) => this.#typedBinary(data));
    this.#terminal.attachCustomKeyEventHandler((event) => handleKey(event, this.#terminal));
    this.#terminal.open(this.element);
    sendPastes(this.element, this.#terminal);
    this.#unfollow = process.follow(this);
  }

  get state(): TerminalState {
    return this.#state;
  }

  received(): Received {
    return { bytes: this.#bytes, sha256: this.#hash.hex(), missedBytes: this.#state.missedBytes };
  }

  /** The text of the screen with its scrollback, wrapped lines joined. */
  text(): string {
    return bufferText(this.#terminal.buffer.active);
  }

  focus(): void {
    this.#terminal.focus();
  }

  applyTheme(): void {
    this.#terminal.options.theme = terminalTheme();
  }

  /** What a person writes elsewhere: a line for a pipe, a script of theirs. */
  write(text: string): Promise<unknown> {
    return this.process.write(encoder.encode(text));
  }

  /**
   * Fits itself into the pane it is in. Who controls a tty asks the process to have the pane's size; without a tty only
   * the view changes; for everybody else the process's size stays, and is drawn smaller when the pane is.
   */
  layOut(isControlled: boolean): void {
    const { info } = this.#options;
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    if (!info.tty || isControlled) {
      this.#setFontSize(FONT_SIZE);
      const proposed = this.#fit.proposeDimensions();
      if (!proposed || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return;
      const size = { rows: Math.max(1, proposed.rows), cols: Math.max(2, proposed.cols) };
      if (info.tty) this.#ask(size);
      else this.#terminal.resize(size.cols, size.rows);
    } else {
      this.#wanted = null;
      this.#scale(clientWidth, clientHeight);
    }
  }

  output({ stream, bytes, live }: Output, drawn: () => void): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    if (live !== this.#isLive) {
      this.#terminal.write('', () => {
        this.#isLive = live;
      });
    }
    const tint = this.#tint?.before(stream, bytes);
    if (tint) this.#terminal.write(tint);
    this.#terminal.write(bytes, drawn);
  }

  gap({ bytes }: { bytes: number }): void {
    this.#terminal.write(RESET);
    this.#set({ missedBytes: this.#state.missedBytes + bytes });
  }

  resized({ rows, cols }: Size): void {
    this.#terminal.write('', () => {
      this.#terminal.resize(cols, rows);
      this.layOut(this.process.controlled);
    });
  }

  /** The list says how it ended; the terminal goes on until the last byte. */
  exited(): void {}

  closed(): void {
    this.#terminal.write('', () => this.#set({ isComplete: true }));
  }

  reconnected(): void {
    this.#set({ reconnectedAtMs: Date.now() });
  }

  refused(error: Error): void {
    this.#set({ refusal: error.message });
  }

  dispose(): void {
    this.#unfollow();
    this.process.detach();
    this.#terminal.dispose();
    this.element.remove();
  }

  #set(change: Partial<TerminalState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onState(this.#state);
  }

  #typed(data: string): void {
    if (isReport(data) && !this.process.controlled) return;
    this.#send(encoder.encode(data));
  }

  #typedBinary(data: string): void {
    if (!this.process.controlled) return;
    this.#send(Uint8Array.from(data, (character) => character.charCodeAt(0)));
  }

  #send(bytes: Uint8Array): void {
    if (!this.#options.isOnline()) return;
    // The pane says that it is offline; what was typed in that moment is not kept for later.
    this.process.write(bytes).catch(() => {});
  }

  #ask(size: Size): void {
    if (this.#wanted?.rows === size.rows && this.#wanted.cols === size.cols) return;
    this.#wanted = size;
    this.process.resize(size).catch(() => {
      this.#wanted = null;
    });
  }

  /** The largest font at which the process's size fits into the pane. */
  #scale(width: number, height: number): void {
    this.#setFontSize(FONT_SIZE);
    const screen = this.element.querySelector('.xterm-screen');
    if (!screen) return;
    const { clientWidth: naturalWidth, clientHeight: naturalHeight } = screen;
    const ratio = Math.min(1, width / naturalWidth, height / naturalHeight);
    if (ratio < 1) this.#setFontSize(Math.max(SMALLEST_FONT_SIZE, Math.floor(FONT_SIZE * ratio * 4) / 4));
  }

  #setFontSize(size: number): void {
    if (this.#terminal.options.fontSize !== size) this.#terminal.options.fontSize = size;
  }
}
