// What is typed into a terminal, on its way to the process; and what is said when it may not have arrived.
import { NotOnline, type RemoteProcess, type WriteOutcome } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';
import { isReport } from './query-replies.ts';

export interface TypingOptions {
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
  /** Whether the next key counts as pressed together with Ctrl. */
  readonly ctrlHeld: (isHeld: boolean) => void;
  /** What the terminal says of itself, unasked; see `isReport`. */
  readonly report: (data: string) => void;
  /** What the terminal has made of a key, as if Ctrl had been held. */
  readonly withCtrl: (data: string) => string;
}

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

export class Typing {
  readonly #options: TypingOptions;
  #isCtrlHeld = false;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** `isTyped`: a person's doing, and not an answer of the terminal to its program. */
  data(data: string, isTyped = true): void {
    // What the terminal itself says is no key that Ctrl could be held with.
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

  /** What nobody has typed, and nobody is told of. */
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

  /** For keyboards without that key: until the next one. */
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
    // What is typed meanwhile is not kept for later.
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
