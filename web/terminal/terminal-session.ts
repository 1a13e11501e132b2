// One process on the screen: its xterm, what reached it, its size. Outlives every pane that shows it; no React.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal } from '@xterm/xterm';
import type { Size } from '../../server/protocol/scalars.ts';
import type { Output, OutputSink, RemoteProcess, WriteOutcome } from '../client/exec-client.ts';
import { ExactScreen, type Screen } from '../client/exact-screen.ts';
import { LogView } from '../log/log-view.ts';
import type { PipeView } from '../log/pipe-view.ts';
import { bytesText } from '../processes/process-status.ts';
import { ringBell } from './bell.ts';
import { Dividers } from './dividers.ts';
import { Follow } from './follow.ts';
import { giveCopies, handleKey, sendPastes } from './keyboard.ts';
import { LineMarks } from './line-marks.ts';
import { offerLinks } from './links.ts';
import { PaneFit } from './pane-fit.ts';
import { PaneSearch, type Searchable } from './pane-search.ts';
import { answerQueriesOnlyIf } from './query-replies.ts';
import { ReceivedCount, type Received } from './received-count.ts';
import { StreamTint } from './stream-tint.ts';
import { applySettings, terminalOptions } from './terminal-options.ts';
import { NOTHING_YET, type TerminalSessionOptions, type TerminalState } from './terminal-state.ts';
import { terminalTheme } from './terminal-theme.ts';
import { InputMarks } from './input-marks.ts';
import { focusByTap, zoomByPinch } from './touch.ts';
import { Typing } from './typing.ts';
import { bufferText, screenText, type ScreenText } from './buffer-text.ts';

const RECONNECTED_SHOWN_MS = 5000;
/** After a full reset (RIS) nothing of what was there before can be mistaken for the present. */
const RESET = '\u001bc';
/** Ends whatever sequence was being printed, and its colours. */
const ABORT = '\u0018\u001b[0m';
const HIDE_CURSOR = '\u001b[?25l';
const LINE_FEED = 0x0a;

const encoder = new TextEncoder();

export class TerminalSession implements OutputSink {
  readonly process: RemoteProcess;
  readonly element = document.createElement('div');
  /** The same output as lines, for a process without a tty. */
  readonly log: LogView | null;
  readonly #host = document.createElement('div');
  readonly #terminal: Terminal;
  readonly #fit: PaneFit;
  readonly #follow: Follow;
  readonly #search: PaneSearch;
  readonly inputMarks: InputMarks;
  readonly #options: TerminalSessionOptions;
  readonly #tint: StreamTint | null;
  /** Only a terminal has one: what a pipe prints stands on its own. */
  readonly #screen: ExactScreen | null;
  readonly #received = new ReceivedCount();
  readonly marks: LineMarks;
  readonly #dividers: Dividers;
  readonly #unfollow: () => void;
  #view: PipeView = 'terminal';
  #state = NOTHING_YET;
  /** Whether the bytes that are being parsed are live, and whether those that were written last are. */
  #isLive = false;
  #isWrittenLive = false;
  #reconnectedTimer: ReturnType<typeof setTimeout> | undefined;
  /** Without a tty, where the next line would begin. */
  #isAtLineStart = true;

  constructor(options: TerminalSessionOptions) {
    const { process, info } = options;
    this.#options = options;
    this.process = process;
    this.inputMarks = new InputMarks(info.lastInput);
    this.element.className = 'pane-views';
    this.#host.className = 'terminal-host';
    this.element.append(this.#host);
    this.#tint = info.tty ? null : new StreamTint();
    this.#screen = info.tty
      ? new ExactScreen({
          key: info.key,
          connection: options.connection,
          scrollbackAtGap: null,
          draw: (screen) => this.#draw(screen),
          give: (output, drawn) => this.#give(output, drawn),
          failed: () => this.#drawWithoutScreen(),
        })
      : null;
    this.#terminal = new Terminal(terminalOptions(info));
    this.#fit = new PaneFit({
      terminal: this.#terminal,
      element: this.#host,
      resize: info.tty ? (size) => process.resize(size) : null,
    });
    this.marks = new LineMarks(this.#terminal);
    this.#dividers = new Dividers(this.#terminal);
    this.#follow = new Follow(this.#terminal, () => this.#tellNewLines());
    this.#search = new PaneSearch(this.#terminal, (matches) => this.#set({ matches }));
    offerLinks(this.#terminal, (link) => this.#set({ link }));
    ringBell(this.#terminal, this.#host, () => this.#isLive);
    answerQueriesOnlyIf(this.#terminal, () => this.#isLive && process.controlled);
    const typing = new Typing({ process, mayType: options.mayType, notify: (notice) => this.notify(notice) });
    this.#terminal.onData((data) => typing.data(data));
    this.#terminal.onBinary((data) => typing.binary(data));
    this.#terminal.attachCustomKeyEventHandler((event) =>
      handleKey(event, this.#terminal, info.tty ? null : () => typing.interrupt()),
    );
    // The wheel scrolls what is there; without control it is no way to type into a full-screen program.
    this.#terminal.attachCustomWheelEventHandler(
      () => process.controlled || this.#terminal.buffer.active.type === 'normal',
    );
    this.#terminal.loadAddon(new UnicodeGraphemesAddon());
    // As the gateway's own screens have it, whose snapshots take this one's place.
    this.#terminal.unicode.activeVersion = '15-graphemes';
    this.#terminal.open(this.#host);
    // Without a tty there is no cursor for a program to place.
    if (!info.tty) this.#terminal.write(HIDE_CURSOR);
    zoomByPinch(this.#host, (factor) => this.zoom(factor));
    focusByTap(this.#host, () => this.focus());
    sendPastes(this.#host, this.#terminal);
    giveCopies(this.#host, this.#terminal);
    this.log = info.tty
      ? null
      : new LogView({
          key: process.key,
          onNewLines: () => this.#tellNewLines(),
          onInterrupt: () => typing.interrupt(),
          onMatches: (matches) => this.#set({ matches }),
        });
    if (this.log) this.element.append(this.log.element);
    this.#unfollow = process.follow(this);
  }

  get state(): TerminalState {
    return this.#state;
  }

  received(): Received {
    return this.#received.get(this.#state.missedBytes);
  }

  /** The text of the screen with its scrollback, wrapped lines joined. */
  text(): string {
    return bufferText(this.#terminal.buffer.active);
  }

  /** All that is here, as whoever listens to it or selects in it wants it. */
  plainText(): string {
    return this.#shownLog?.lines.text() ?? this.text();
  }

  /** What is on the screen now. */
  screen(): ScreenText {
    return screenText(this.#terminal);
  }

  /** Back to where the output comes. */
  toEnd(): void {
    if (this.#shownLog) this.#shownLog.toEnd();
    else this.#follow.toEnd();
  }

  /** Whether it can be seen. */
  show(isShown: boolean): void {
    if (isShown && !this.#shownLog) this.#options.webgl?.shown(this.#terminal);
    else this.#options.webgl?.hidden(this.#terminal);
  }

  focus(): void {
    this.show(true);
    (this.#shownLog ?? this.#terminal).focus();
  }

  /** The terminal, or the log where there is one; what is hidden goes on and draws nothing. */
  showAs(view: PipeView): void {
    if (!this.log) return;
    // What is hidden loses the focus; so its successor takes it over.
    const hadFocus = this.element.contains(document.activeElement);
    this.#view = view;
    this.#host.hidden = view === 'log';
    this.log.show(view === 'log');
    this.show(this.element.isConnected);
    this.layOut();
    this.#tellNewLines();
    if (hadFocus) this.focus();
  }

  /** What the search bar asks while the pane shows this. */
  searchIn(view: PipeView): Searchable {
    return view === 'log' && this.log ? this.log.search : this.#search;
  }

  applySettings(): void {
    applySettings(this.#terminal);
    this.log?.restyle();
    this.layOut();
  }

  applyTheme(): void {
    this.#terminal.options.theme = terminalTheme();
    this.log?.restyle();
  }

  /** Says something in the pane; null when it has been read. */
  notify(notice: string | null): void {
    this.#set({ notice });
  }

  /** What a person writes elsewhere: a line for a pipe, a script of theirs. */
  write(text: string): Promise<WriteOutcome> {
    return this.process.write(encoder.encode(text));
  }

  /** Fits itself into the pane it is in; see PaneFit. */
  layOut(isControlled = this.process.controlled): void {
    this.#fit.layOut(isControlled);
  }

  /** Larger or smaller letters in this pane; see PaneFit. */
  zoom(by: 'larger' | 'smaller' | 'normal' | number): void {
    this.#fit.zoom(by);
    this.layOut();
  }

  output(output: Output, drawn: () => void): void {
    const { stream, bytes, atMs = null } = output;
    const offset = this.#received.bytes + this.#state.missedBytes;
    this.log?.lines.output(stream, bytes, offset, atMs);
    this.#received.take(bytes);
    const arrived = this.marks.arrived(offset + bytes.length, drawn);
    if (this.#screen) this.#screen.output(output, arrived);
    else this.#give(output, arrived);
  }

  #give({ stream, bytes, live }: Output, drawn: () => void): void {
    this.#beLive(live);
    const tint = this.#tint?.before(stream, bytes);
    if (tint) this.#terminal.write(tint);
    this.#terminal.write(bytes, this.marks.written(drawn));
    this.#isAtLineStart = bytes.at(-1) === LINE_FEED;
  }

  gap({ bytes, nextSeq }: { readonly bytes: number; readonly nextSeq: number }): void {
    if (bytes === 0) return;
    this.log?.lines.gap(bytes);
    this.#set({ missedBytes: this.#state.missedBytes + bytes });
    if (this.#screen) this.#screen.gap(nextSeq);
    else this.#divide(`${bytesText(bytes)} not shown`);
  }

  resized({ afterSeq, rows, cols }: Size & { readonly afterSeq: number }): void {
    if (this.#screen) this.#screen.step(afterSeq, () => this.#resize({ rows, cols }));
    else this.#resize({ rows, cols });
  }

  /** The list says how it ended; the terminal goes on until the last byte. */
  exited(): void {}

  closed(): void {
    this.log?.lines.closed();
    if (this.#screen) this.#screen.step(Number.POSITIVE_INFINITY, () => this.#close());
    else this.#close();
  }

  /** Says something between what has been printed and what comes. */
  divide(text: string): void {
    this.#dividers.add(text);
    this.log?.lines.divide(text);
  }

  reconnected(): void {
    this.#screen?.resume();
    this.divide('reconnected');
    this.#set({ hasJustReconnected: true });
    clearTimeout(this.#reconnectedTimer);
    this.#reconnectedTimer = setTimeout(() => this.#set({ hasJustReconnected: false }), RECONNECTED_SHOWN_MS);
  }

  refused(error: Error): void {
    this.#set({ refusal: error.message });
  }

  dispose(): void {
    clearTimeout(this.#reconnectedTimer);
    this.#screen?.stop();
    this.show(false);
    this.#fit.dispose();
    this.#follow.dispose();
    this.log?.dispose();
    this.#unfollow();
    this.process.detach();
    this.#terminal.dispose();
    this.element.remove();
  }

  #beLive(isLive: boolean): void {
    if (isLive === this.#isWrittenLive) return;
    this.#isWrittenLive = isLive;
    this.#terminal.write('', () => {
      this.#isLive = isLive;
    });
  }

  #resize({ rows, cols }: Size): void {
    this.#terminal.write('', () => {
      this.#terminal.resize(cols, rows);
      this.layOut();
    });
  }

  /** A snapshot, in place of all that was there. */
  #draw({ size, data, isExact }: Screen): void {
    this.#beLive(false);
    this.#terminal.write(RESET);
    this.#resize(size);
    this.#terminal.write(data, () => this.marks.redrawn());
    this.#dividers.addOnTop(`${bytesText(this.#state.missedBytes)} not shown`);
    this.#set({ isExact });
  }

  /** The screen depends on all that was ever printed: what is left begins on an empty one. */
  #drawWithoutScreen(): void {
    this.#terminal.write(RESET);
    this.#set({ isExact: false });
  }

  #close(): void {
    // No program is there to move the cursor any more.
    this.#terminal.write(HIDE_CURSOR, () => this.#set({ isComplete: true }));
  }

  get #shownLog(): LogView | null {
    return this.#view === 'log' ? this.log : null;
  }

  #tellNewLines(): void {
    const newLines = (this.#shownLog ?? this.#follow).newLines;
    if (newLines !== this.#state.newLines) this.#set({ newLines });
  }

  #set(change: Partial<TerminalState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onState(this.#state);
  }

  /** Between lines of a process without a terminal: what is missing has ended its line, and its colours. */
  #divide(text: string): void {
    this.#terminal.write(`${ABORT}${this.#isAtLineStart ? '' : '\r\n'}`);
    this.#isAtLineStart = true;
    this.#tint?.restart();
    this.#dividers.add(text);
  }
}
