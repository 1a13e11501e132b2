// What a person does to a terminal by keyboard, clipboard and fingers, on its way to the process.
import { internalsFor } from '../../../text/xterm-internals.ts';
import type { Terminal } from '@xterm/xterm';
import { NotOnline, type RemoteProcess, type WriteOutcome } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';
import { StateReports } from './state-reports.ts';
import { flash } from './flash.ts';
import { platform } from '../../state/page/platform.ts';
import { giveCopies, handleKey, takePastes } from './copy-and-paste.ts';
import { askPaste } from '../../state/page/paste-store.ts';
import { lineCount, MOST_PASTED_CHARS, safePaste } from './paste.ts';
import type { ProgramKeys } from './program-keys.ts';
import { controlled, KEY_NAMES, screenKey, type ScreenKey } from './screen-keys.ts';
import { isReport } from './query-replies.ts';

const encoder = new TextEncoder();

/** A modifier alone, where a program has asked for it: xterm.js does not take it for input. */
// oxlint-disable-next-line no-control-regex -- this is a control sequence
const MODIFIER_KEY = /^\u001b\[\d[\d;:]*u$/;

/** Null where it may have arrived. */
const NOT_TYPED: { readonly [outcome in WriteOutcome]: string | null } = {
  accepted: null,
  inDoubt: null,
  stdinClosed: 'Not typed: the process has no stdin, or it is closed',
  unknownProcess: 'Not typed: the process does not run',
};

const INTERRUPT_KEY = '\u0003';

interface TypingOptions {
  readonly process: RemoteProcess;
  /** True while this page is connected, the gateway responds, this page's role may type, and the process runs. */
  readonly mayType: () => boolean;
  /** The same as `mayType`, but true also while the gateway does not respond: late state is still right, a late key is not. */
  readonly mayReport: () => boolean;
  /** So many keys were pressed while it may not type. */
  readonly refused: (keys: number) => void;
  /** Told of what was typed and is on its way; not of what the terminal itself says. */
  readonly typed: (text: string) => void;
  /** Says a short word in the pane: of what is typed on, once. */
  readonly hint: (hint: string) => void;
  /** Says something in the pane. */
  readonly notify: (notice: string) => void;
  /** Marks the place in the output. */
  readonly divide: (text: string) => void;
  /** Called when the next key begins, or ceases, to count as pressed with Ctrl. */
  readonly ctrlHeld: (isHeld: boolean) => void;
  /** Sends a report of the terminal's own; see `isReport`. */
  readonly report: (data: string) => void;
  /** Returns the terminal's bytes for a key as if Ctrl had been held. */
  readonly withCtrl: (data: string) => string;
}

export interface TerminalInputOptions extends Omit<TypingOptions, 'withCtrl' | 'report'> {
  readonly terminal: Terminal;
  readonly programKeys: ProgramKeys;
  readonly process: RemoteProcess;
  readonly isTty: boolean;
  /** Whether what is being parsed has just been printed. */
  readonly isLive: () => boolean;
  /** Whether what was selected has gone by itself, and nothing was done since. */
  readonly takeGoneSelection: () => boolean;
  /** Whether the person here started the process. */
  readonly isOwn: () => boolean;
  /** What lights up where something was pasted, and is clicked into. */
  readonly element: HTMLElement;
}

/** Inside xterm.js: an event before each `onData` of what a person has done. */
export class TerminalInput {
  readonly #options: TerminalInputOptions;
  readonly #typing: Typing;
  /** Of the terminal's state. */
  readonly reports: StateReports;
  #isClickedInto = false;

  /** Before the terminal is opened. */
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
    // All input counts as typed when xterm.js does not tell which is.
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

  /** A key alone ends nothing that somebody else started and that has only been opened. */
  interruptByKey(): void {
    if (this.#isClickedInto || this.#options.isOwn()) this.#typing.interrupt();
    else this.#options.hint('Not interrupted: click into the output first, or press Interrupt');
  }

  /** Takes what the clipboard gives within an element, and gives it what is selected there. */
  listen(element: HTMLElement): void {
    takePastes(element, (text) => this.paste(text));
    giveCopies(element, this.#options.terminal);
  }

  /** Several lines that would act one by one are shown to the person first. */
  paste(text: string): void {
    const { terminal, process, mayType, notify } = this.#options;
    const safe = safePaste(text);
    if (safe === '') return;
    if (!mayType()) this.pasteNow(safe);
    else if (safe.length > MOST_PASTED_CHARS) {
      notify(`Not pasted: ${safe.length.toLocaleString('en')} characters are too many.`);
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

  /** What was written in peace, as one write; `hasEnter`: and the key that ends a line. */
  typeLine(text: string, hasEnter: boolean): void {
    this.#typing.line(`${safePaste(text).replaceAll(/\r?\n/g, '\r')}${hasEnter ? '\r' : ''}`);
  }

  /** A key that the keyboard at hand has not. */
  press(key: ScreenKey): void {
    const { programKeys, terminal } = this.#options;
    const plain = screenKey(key, terminal.modes.applicationCursorKeysMode);
    this.#typing.data(programKeys.spelt({ key: KEY_NAMES[key] }) ?? plain);
  }

  /** As Ctrl-C does: a key for a terminal, a signal where there is none. */
  pressInterrupt(): void {
    const { isTty, programKeys } = this.#options;
    if (isTty) this.#typing.data(programKeys.spelt({ key: 'c', ctrlKey: true }) ?? INTERRUPT_KEY);
    else this.#typing.interrupt();
  }

  holdCtrl(isHeld: boolean): void {
    this.#typing.holdCtrl(isHeld);
  }
}

/** Typed input on the way to the process, with the notice when it may not have arrived. */
export class Typing {
  readonly #options: TypingOptions;
  #isCtrlHeld = false;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** `isTyped`: a person's doing, and not an answer of the terminal to its program. */
  data(data: string, isTyped = true): void {
    // A report of the terminal is no key that Ctrl could be held with.
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

  /** Sends a report that no person typed, and shows nothing about it. */
  report(report: string): void {
    if (this.#options.mayReport()) this.#write(encoder.encode(report));
  }

  /** Text that is meant as it is. */
  line(text: string): void {
    this.#type(text);
  }

  binary(data: string): void {
    // The mouse, in its older encodings: no key that could be counted.
    const { process, mayType } = this.#options;
    if (!process.controlled || !mayType()) return;
    this.#write(Uint8Array.from(data, (character) => character.charCodeAt(0)));
  }

  interrupt(): void {
    const { process, mayType, refused } = this.#options;
    if (!mayType()) return refused(1);
    process.signal('interrupt').catch((error: unknown) => this.#fail(error));
  }

  /** Holds Ctrl until the next key, for keyboards without Ctrl. */
  holdCtrl(isHeld: boolean): void {
    if (isHeld === this.#isCtrlHeld) return;
    this.#isCtrlHeld = isHeld;
    this.#options.ctrlHeld(isHeld);
  }

  /** A person is told when what they type goes nowhere. */
  #type(text: string): void {
    const { mayType, typed } = this.#options;
    if (mayType()) typed(text);
    this.#send(encoder.encode(text), Array.from(text).length, (outcome) => {
      const why = NOT_TYPED[outcome];
      if (why !== null) this.#options.hint(why);
    });
  }

  #send(bytes: Uint8Array, keys = 1, told: (outcome: WriteOutcome) => void = () => {}): void {
    const { mayType, refused } = this.#options;
    // Input that is typed meanwhile is dropped.
    if (mayType()) this.#write(bytes, told);
    else refused(keys);
  }

  #write(bytes: Uint8Array, told: (outcome: WriteOutcome) => void = () => {}): void {
    this.#options.process.write(bytes).then(
      (outcome) => {
        this.#tell(outcome);
        told(outcome);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #tell(outcome: WriteOutcome): void {
    if (outcome !== 'inDoubt') return;
    this.#options.divide('not sure that what was typed here arrived');
    this.#options.notify('The connection was lost while you typed: it is not sure that all of it arrived.');
  }

  #fail(error: unknown): void {
    if (error instanceof NotOnline) return;
    this.#options.notify(errorText(error));
  }
}
