// A person's input to a terminal by keyboard, clipboard and touch, all the way to the process.
import { internalsFor } from '../../../text/xterm-internals.ts';
import type { Terminal } from '@xterm/xterm';
import { NotOnline, type RemoteProcess, type WriteOutcome } from '../../../client/exec-client.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { StateReports } from './state-reports.ts';
import { flash } from './flash.ts';
import { platform } from '../../state/page/platform.ts';
import { giveCopies, handleKey, takePastes } from './copy-and-paste.ts';
import { askPaste } from '../../state/page/paste-store.ts';
import { lineCount, MOST_PASTED_CHARS, safePaste } from './paste.ts';
import type { ProgramKeys } from './program-keys.ts';
import { controlled, KEY_NAMES, screenKey, type ScreenKey } from './screen-keys.ts';
import { isReport } from './query-replies.ts';
import { numberText } from '../../../text/amounts.ts';

const encoder = new TextEncoder();

/** Sequence of a modifier key alone, if the program has requested it; xterm.js does not report it as user input. */
// oxlint-disable-next-line no-control-regex -- this is a control sequence
const MODIFIER_KEY = /^\u001b\[\d[\d;:]*u$/;

/** Hint for each outcome; null where the input was accepted or may have arrived. */
const NOT_TYPED: { readonly [outcome in WriteOutcome]: string | null } = {
  accepted: null,
  inDoubt: null,
  stdinClosed: 'Not sent: the process has no stdin, or its stdin is closed',
  unknownProcess: 'Not sent: the process is not running',
};

const INTERRUPT_KEY = '\u0003';

interface TypingOptions {
  readonly process: RemoteProcess;
  /**
   * Returns true while the page is connected, the gateway responds, the person's role may type, and the process is
   * running.
   */
  readonly mayType: () => boolean;
  /**
   * Returns true when `mayType` does, and also while the gateway does not respond: a late state report is still
   * correct, but a late key is not.
   */
  readonly mayReport: () => boolean;
  /** Called with the number of keys or pasted characters that are dropped because typing is not possible. */
  readonly refused: (keys: number) => void;
  /** Called with typed text that is being sent, excluding the terminal's own reports. */
  readonly typed: (text: string) => void;
  /** Shows a short hint in the pane; repetitions are shown once. */
  readonly hint: (hint: string) => void;
  readonly notify: (notice: string) => void;
  /** Adds a marker to the pane's view. */
  readonly divide: (text: string) => void;
  /** Called with true when Ctrl is held for the next key, and with false when it is released. */
  readonly ctrlHeld: (isHeld: boolean) => void;
  /** Sends a report made by the terminal itself; see `isReport`. */
  readonly report: (data: string) => void;
  /** Converts `data`, the terminal's bytes for a key, into those that the terminal sends for this key with Ctrl. */
  readonly withCtrl: (data: string) => string;
}

export interface TerminalInputOptions extends Omit<TypingOptions, 'withCtrl' | 'report'> {
  readonly terminal: Terminal;
  readonly programKeys: ProgramKeys;
  readonly process: RemoteProcess;
  readonly isTty: boolean;
  /** Returns true while the bytes being parsed are new. */
  readonly isLive: () => boolean;
  /** Returns true once after eviction from the scrollback cleared a selection, unless the mouse was pressed since. */
  readonly takeGoneSelection: () => boolean;
  /** Returns true when the person at this page started the process. */
  readonly isOwn: () => boolean;
  /** Element that flashes after a paste; a click into it permits interrupting by key. */
  readonly element: HTMLElement;
}

/** Input of a terminal. An internal event of xterm.js before `onData` distinguishes typed input from replies. */
export class TerminalInput {
  readonly #options: TerminalInputOptions;
  readonly #typing: Typing;
  readonly reports: StateReports;
  #isClickedInto = false;

  constructor(options: TerminalInputOptions) {
    const { terminal, programKeys, isTty, takeGoneSelection, hint, element } = options;
    this.#options = options;
    this.#typing = new Typing({
      ...options,
      report: (data) => this.reports.report(data),
      withCtrl: (data) => programKeys.withCtrl(data) ?? controlled(data),
    });
    this.reports = new StateReports({
      terminal,
      isLive: options.isLive,
      isControlled: () => options.process.controlled,
      mayType: options.mayType,
      send: (report) => this.#typing.report(report),
    });
    let isTyped = false;
    // All input counts as typed if xterm.js lacks this internal event.
    const internals = internalsFor(terminal, 'typed');
    internals?.coreService.onUserInput(() => (isTyped = true));
    terminal.onData((data) => {
      const wasTyped = isTyped || !internals;
      isTyped = false;
      this.#typing.data(data, wasTyped);
    });
    terminal.onBinary((data) => this.#typing.binary(data));
    element.addEventListener('pointerdown', () => (this.#isClickedInto = true));
    element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) this.#isClickedInto = false;
    });
    const interrupt = (): void => this.interruptByKey();
    const keys = { terminal, platform, isTty, takeGoneSelection, hint, interrupt };
    terminal.attachCustomKeyEventHandler(
      (event) => handleKey(event, keys) && programKeys.handle(event, platform),
    );
  }

  /** Interrupts by key if this page's user started the process or has clicked into its pane; otherwise shows a hint. */
  interruptByKey(): void {
    if (this.#isClickedInto || this.#options.isOwn()) this.#typing.interrupt();
    else this.#options.hint('Not interrupted: click into the output first, or press Interrupt');
  }

  /** Handles pastes and copies within an element. */
  listen(element: HTMLElement): void {
    takePastes(element, (text) => this.paste(text));
    giveCopies(element, this.#options.terminal);
  }

  /**
   * Pastes the text, after a confirmation if several lines would be executed one by one; shows a notice instead if the
   * text is too long.
   */
  paste(text: string): void {
    const { terminal, process, mayType, notify } = this.#options;
    const safe = safePaste(text);
    if (safe === '') return;
    if (!mayType()) this.pasteNow(safe);
    else if (safe.length > MOST_PASTED_CHARS) {
      const most = numberText(MOST_PASTED_CHARS);
      notify(
        `Not pasted: the text has ${numberText(safe.length)} characters; at most ${most} can be pasted.`,
      );
    } else if (lineCount(safe) > 1 && !terminal.modes.bracketedPasteMode) {
      askPaste({ processKey: process.key, text: safe });
    } else this.pasteNow(safe);
  }

  pasteNow(text: string): void {
    const { terminal, isTty, element, mayType, refused } = this.#options;
    if (!mayType()) return refused(Array.from(text).length);
    flash(element, 'var(--accent)');
    if (isTty) terminal.paste(text);
    else this.#typing.line(text);
  }

  /** Sends prepared text in one write; `hasEnter` adds the Enter key. */
  typeLine(text: string, hasEnter: boolean): void {
    this.#typing.line(`${safePaste(text).replaceAll(/\r?\n/g, '\r')}${hasEnter ? '\r' : ''}`);
  }

  /** Sends a key that an on-screen keyboard lacks. */
  press(key: ScreenKey): void {
    const { programKeys, terminal } = this.#options;
    const plain = screenKey(key, terminal.modes.applicationCursorKeysMode);
    this.#typing.data(programKeys.spelt({ key: KEY_NAMES[key] }) ?? plain);
  }

  /** Interrupts like Ctrl+C: sends the key to a tty, otherwise a signal. */
  pressInterrupt(): void {
    const { isTty, programKeys } = this.#options;
    if (isTty) this.#typing.data(programKeys.spelt({ key: 'c', ctrlKey: true }) ?? INTERRUPT_KEY);
    else this.#typing.interrupt();
  }

  holdCtrl(isHeld: boolean): void {
    this.#typing.holdCtrl(isHeld);
  }
}

/** Typed input for the process, with a notice when it may not have arrived. */
export class Typing {
  readonly #options: TypingOptions;
  #isCtrlHeld = false;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** Sends data from the terminal; `isTyped` is false for replies to the program. */
  data(data: string, isTyped = true): void {
    // A held Ctrl does not apply to the terminal's reports.
    if (isReport(data)) {
      this.#options.report(data);
      return;
    }
    if (!isTyped && !MODIFIER_KEY.test(data)) {
      this.report(data);
      return;
    }
    const typed = this.#isCtrlHeld ? this.#options.withCtrl(data) : data;
    this.holdCtrl(false);
    if (!typed.startsWith('\u001b')) return this.#type(typed);
    if (isTyped && this.#options.mayType()) this.#options.typed(typed);
    this.#send(encoder.encode(typed));
  }

  /** Sends a report that no person typed, or drops it silently when reports cannot be sent. */
  report(report: string): void {
    if (!this.#options.mayReport()) return;
    this.#options.process.write(encoder.encode(report)).catch((error: unknown) => this.#fail(error));
  }

  /** Sends text unchanged, even while Ctrl is held for the next key. */
  line(text: string): void {
    this.#type(text);
  }

  binary(data: string): void {
    // Mouse reports in the older encodings do not count as keys.
    const { process, mayType } = this.#options;
    if (!process.controlled || !mayType()) return;
    this.#write(Uint8Array.from(data, (character) => character.charCodeAt(0)));
  }

  interrupt(): void {
    const { process, mayType, refused } = this.#options;
    if (!mayType()) return refused(1);
    process.signal('interrupt').catch((error: unknown) => this.#fail(error));
  }

  /** Holds Ctrl until the next key, or releases it, for keyboards without Ctrl. */
  holdCtrl(isHeld: boolean): void {
    if (isHeld === this.#isCtrlHeld) return;
    this.#isCtrlHeld = isHeld;
    this.#options.ctrlHeld(isHeld);
  }

  /** Sends text; shows a hint when the process did not accept it. */
  #type(text: string): void {
    const { mayType, typed } = this.#options;
    if (mayType()) typed(text);
    this.#send(encoder.encode(text), Array.from(text).length, (outcome) => {
      const why = NOT_TYPED[outcome];
      if (why !== null) this.#options.hint(why);
    });
  }

  #send(bytes: Uint8Array, keys = 1, settled: (outcome: WriteOutcome) => void = () => {}): void {
    const { mayType, refused } = this.#options;
    if (mayType()) this.#write(bytes, settled);
    else refused(keys);
  }

  #write(bytes: Uint8Array, settled: (outcome: WriteOutcome) => void = () => {}): void {
    this.#options.process.write(bytes).then(
      (outcome) => {
        this.#showOutcome(outcome);
        settled(outcome);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #showOutcome(outcome: WriteOutcome): void {
    if (outcome !== 'inDoubt') return;
    this.#options.divide('keys typed here may not have arrived');
    this.#options.notify('The connection was lost while you typed: some keys may not have arrived.');
  }

  #fail(error: unknown): void {
    if (error instanceof NotOnline) return;
    this.#options.notify(errorSentence(error));
  }
}
