// One process on the screen: its xterm, received output and size. It is independent of React, so that it survives when
// its pane moves.
import type { Terminal } from '@xterm/xterm';
import type { Size } from '../../../protocol/scalars.ts';
import type { Output, OutputSink, RemoteProcess, WriteOutcome } from '../../../client/exec-client.ts';
import { Outage } from './outage.ts';
import { ProgramKeys } from './program-keys.ts';
import { TerminalInput } from './terminal-input.ts';
import { LogCredit } from '../log/log-credit.ts';
import { LogView } from '../log/log-view.ts';
import { recordedLines } from './recorded-lines.ts';
import type { PipeView } from '../../state/page/pipe-view.ts';
import type { Searchable } from '../../state/processes/searchable.ts';
import { ActMarks } from './act-marks.ts';
import { ringBell } from './bell.ts';
import { CopyRequests } from './copy-requests.ts';
import { DueDividers } from './due-dividers.ts';
import { Follow } from './follow.ts';
import { Hint } from './hint.ts';
import { LineMarks } from './line-marks.ts';
import { offerLinks } from './links.ts';
import { PaneFit } from './pane-fit.ts';
import { PaneSearch } from './pane-search.ts';
import { answerQueriesOnlyIf } from './query-replies.ts';
import { ReceivedCount, type Received } from './received-count.ts';
import { refusalSentence } from '../../state/page/refusal.ts';
import { applySettings, followKeyboard, newTerminal, openTerminal } from './terminal-options.ts';
import { TerminalOutput, TerminalWriter } from './terminal-output.ts';
import type { TerminalSessionOptions } from './terminal-session-options.ts';
import { NOTHING_YET, type TerminalState } from '../../state/processes/terminal-state.ts';
import { terminalTheme } from './terminal-theme.ts';
import { InputMarks } from './input-marks.ts';
import { focusByTap, zoomByPinch } from './touch.ts';
import { bufferText, screenText, type ScreenText } from './buffer-text.ts';
import { guardWheel } from './wheel.ts';

export class TerminalSession implements OutputSink {
  readonly process: RemoteProcess;
  readonly element = document.createElement('div');
  /** The same output as lines; null for a process with a tty. */
  readonly log: LogView | null;
  readonly #host = document.createElement('div');
  readonly #terminal: Terminal;
  readonly #writer: TerminalWriter;
  readonly fit: PaneFit;
  readonly #follow: Follow;
  readonly #search: PaneSearch;
  readonly #hint = new Hint((hint) => this.#set({ hint }));
  readonly inputMarks: InputMarks;
  readonly #options: TerminalSessionOptions;
  readonly #output: TerminalOutput;
  readonly input: TerminalInput;
  /** Acknowledges output: late while the reader of a full log has scrolled up or selected text; see `LogCredit`. */
  readonly #credit = new LogCredit({
    isHolding: () => this.log?.isFull ?? false,
    isDrawnLate: () => document.visibilityState === 'hidden',
    changed: (isHeld) => this.#set({ isHeld }),
  });
  readonly #due = new DueDividers((divider) => {
    this.#output.divide(divider);
    this.log?.lines.divide(divider.text);
  });
  readonly actMarks = new ActMarks(this.#due);
  readonly outage = new Outage({
    isFullScreen: () => this.#terminal.buffer.active.type !== 'normal',
    divide: (text) => this.divide(text),
    show: (shown) => this.#set(shown),
  });
  readonly #received = new ReceivedCount((missedBytes) => this.#set({ missedBytes }));
  readonly marks: LineMarks;
  readonly copyRequests: CopyRequests;
  readonly #unfollow: () => void;
  #view: PipeView = 'terminal';
  #state = NOTHING_YET;

  constructor(options: TerminalSessionOptions) {
    const { process, info } = options;
    this.#options = options;
    this.process = process;
    this.inputMarks = new InputMarks(info.lastInput);
    this.element.className = 'pane-views';
    this.#host.className = 'terminal-host';
    this.element.append(this.#host);
    this.#terminal = newTerminal(info);
    this.#writer = new TerminalWriter(this.#terminal);
    this.fit = new PaneFit({
      terminal: this.#terminal,
      element: this.#host,
      resize: info.tty ? (size) => process.resize(size) : null,
    });
    this.marks = new LineMarks(this.#terminal, this.#writer);
    this.#follow = new Follow({
      terminal: this.#terminal,
      host: this.#host,
      changed: (newLines) => {
        this.#host.classList.toggle('scrolled-up', newLines !== null);
        this.#reportNewLines();
      },
      readToEnd: () => this.#output.readToEnd(),
    });
    this.#output = new TerminalOutput({
      terminal: this.#terminal,
      writer: this.#writer,
      info,
      connection: options.connection,
      marks: this.marks,
      resized: () => this.layOut(),
      isExact: (isExact) => this.#set({ isExact }),
      isRead: () => this.#follow.isRead,
      isHeld: (isHeld) => this.#set({ isHeld }),
    });
    this.#search = new PaneSearch(this.#terminal, (matches) => this.#set({ matches }));
    offerLinks(this.#terminal, (link) => this.#set({ link }));
    ringBell(this.#terminal, this.#host, () => this.#output.isLive);
    const programKeys = new ProgramKeys(this.#terminal);
    answerQueriesOnlyIf(this.#terminal, () => this.#output.isLive && process.controlled);
    this.copyRequests = new CopyRequests({
      terminal: this.#terminal,
      // Only the controller may be asked, only about new output, and only while the pane is visible.
      mayAsk: () => this.#output.isLive && process.controlled && this.element.getClientRects().length > 0,
      asks: (copyRequest) => this.#set({ copyRequest }),
    });
    this.input = new TerminalInput({
      terminal: this.#terminal,
      programKeys,
      process,
      isTty: info.tty,
      isLive: () => this.#output.isLive,
      element: this.element,
      mayType: options.mayType,
      mayReport: options.mayReport,
      isOwn: options.isOwn,
      refused: (keys) => {
        const why = options.whyNot();
        // The connection is up if reports may be sent, so the cause is an unresponsive gateway.
        if (why === null) this.outage.drop(keys, options.mayReport() ? 'silence' : 'cut');
        else this.#hint.display(why);
      },
      typed: (text) => this.outage.typed(text),
      hint: (hint) => this.#hint.display(hint),
      takeGoneSelection: () => this.#follow.takeGoneSelection(),
      notify: (notice) => this.notify(notice),
      divide: (text) => this.divide(text),
      ctrlHeld: (isCtrlHeld) => this.#set({ isCtrlHeld }),
    });
    guardWheel(this.#terminal, options, (hint) => this.#hint.display(hint));
    openTerminal(this.#terminal, this.#host);
    if (info.tty) followKeyboard(this.#terminal, (hasKeyboard) => this.#set({ hasKeyboard }));
    zoomByPinch(this.#host, (factor) => this.zoom(factor));
    focusByTap(this.#host, () => this.focus());
    this.input.listen(this.#host);
    this.log = info.tty
      ? null
      : new LogView({
          key: process.key,
          ...recordedLines(options.connection, process.key),
          onNewLines: () => this.#reportNewLines(),
          onSelected: () => this.#credit.release(),
          onInterrupt: () => this.input.interruptByKey(),
          onState: (change) => this.#set(change),
        });
    if (this.log) this.element.append(this.log.element);
    this.actMarks.update(info, options.connection.state);
    this.#unfollow = process.follow(this);
  }

  get state(): TerminalState {
    return this.#state;
  }

  received(): Received {
    return this.#received.get();
  }

  /** Returns the text of the screen and its scrollback, with wrapped lines joined. */
  text(): string {
    return bufferText(this.#terminal.buffer.active);
  }

  /** Returns all text of the visible view, for screen readers and for selecting. */
  plainText(): string {
    return this.#shownLog?.lines.text() ?? this.text();
  }

  screen(): ScreenText {
    return screenText(this.#terminal);
  }

  toEnd(): void {
    (this.#shownLog ?? this.#follow).toEnd();
  }

  scroll(pages: number): void {
    this.#terminal.scrollPages(pages);
  }

  /** Called with true when the session becomes visible, and with false when it is hidden. */
  show(isShown: boolean): void {
    if (isShown && !this.#shownLog) this.#options.webgl?.shown(this.#terminal);
    else this.#options.webgl?.hidden(this.#terminal);
  }

  focus(): void {
    this.show(true);
    (this.#shownLog ?? this.#terminal).focus();
  }

  /** Switches between log and terminal if there is a log; the hidden view still receives output but draws nothing. */
  showAs(view: PipeView): void {
    if (!this.log) return;
    // A hidden element loses the focus, so the visible one takes it over.
    const hadFocus = this.element.contains(document.activeElement);
    this.#view = view;
    this.#host.hidden = view === 'log';
    this.log.show(view === 'log');
    this.show(this.element.isConnected);
    this.layOut();
    this.#reportNewLines();
    if (hadFocus) this.focus();
  }

  /** Returns the search of the log or of the terminal, whichever the view shows. */
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

  /** Shows a notice in the pane; null removes it. */
  notify(notice: string | null): void {
    this.#set({ notice });
  }

  /** Shows a short hint in the pane, which disappears by itself. */
  report(hint: string): void {
    this.#hint.display(hint);
  }

  /** Sends text composed outside the terminal: a line for a pipe, or text from an automation script. */
  write(text: string): Promise<WriteOutcome> {
    return this.process.write(new TextEncoder().encode(text));
  }

  layOut(isControlled = this.process.controlled): void {
    this.fit.layOut(isControlled);
  }

  /** Changes the font size in this pane; see PaneFit. */
  zoom(by: 'larger' | 'smaller' | 'normal' | number): void {
    this.fit.zoom(by);
    this.layOut();
  }

  output(output: Output, drawn: () => void): void {
    const { stream, bytes, atMs = null } = output;
    const { offset } = this.#received;
    this.log?.lines.output(stream, bytes, offset, atMs);
    this.#received.take(bytes);
    this.#output.output(
      output,
      this.marks.arrived(offset + bytes.length, this.#credit.for(drawn, bytes.length)),
    );
    this.#due.reached(output.seq);
  }

  gap(gap: { readonly bytes: number; readonly nextSeq: number }): void {
    if (gap.bytes === 0) return;
    this.log?.lines.gap(gap.bytes);
    this.#received.miss(gap.bytes);
    this.#output.gap(gap);
    this.#due.missed(gap.nextSeq - 1);
  }

  resized(mark: Size & { readonly afterSeq: number }): void {
    this.#output.resized(mark);
  }

  /** Does nothing: the list shows the exit, and output continues until its last byte. */
  exited(): void {}

  closed(): void {
    this.#due.closed();
    this.log?.lines.closed();
    this.#output.closed(() => this.#set({ isComplete: true }));
  }

  /** Adds a marker between past and future output. */
  divide(text: string): void {
    this.#due.add({ text, afterSeq: 0, isPast: false });
  }

  /** Clears the view of this page only; the process and other watchers are unaffected. */
  clear(): void {
    this.#writer.inTurn(() => this.#terminal.clear());
    this.log?.clear();
  }

  reconnected(isJustNow: boolean): void {
    this.outage.reconnected(isJustNow);
  }

  refused(error: Error): void {
    this.#set({ refusal: refusalSentence(error) });
  }

  dispose(): void {
    this.input.reports.end();
    this.outage.dispose();
    this.#output.stop();
    this.show(false);
    this.fit.dispose();
    this.#follow.dispose();
    this.#hint.dispose();
    this.#received.dispose();
    this.#search.dispose();
    this.log?.dispose();
    this.#unfollow();
    this.process.detach();
    this.#terminal.dispose();
    this.element.remove();
  }

  get #shownLog(): LogView | null {
    return this.#view === 'log' ? this.log : null;
  }

  #reportNewLines(): void {
    const newLines = (this.#shownLog ?? this.#follow).newLines;
    if (newLines !== this.#state.newLines) this.#set({ newLines });
    this.#credit.release();
  }

  #set(change: Partial<TerminalState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onState(this.#state);
  }
}
