// Whether a program that has asked for it (mode 1004) believes that its terminal has the focus. Only who is in control tells
// it: when control comes, and again when the process is left. What the terminal itself reports meanwhile passes through.

const FOCUS_IN = Buffer.from('\u001b[I');
const FOCUS_OUT = Buffer.from('\u001b[O');
/* oxlint-disable no-control-regex -- these are control sequences */
const REPORT = /\u001b\[[IO]/g;
/** What sets or resets private modes, and the two resets. */
const CHANGE = /\u001b(?:\[\?([\d;]+)([hl])|c|\[!p)/g;
/* oxlint-enable no-control-regex */
/** Of the end of a chunk: longer than any sequence that sets few modes. */
const TAIL_BYTES = 32;
const MODE = '1004';

export interface FocusReportsOptions {
  readonly isControlled: () => boolean;
  readonly send: (report: Buffer) => void;
}

export class FocusReports {
  readonly #options: FocusReportsOptions;
  /** A sequence may be cut. */
  #tail = Buffer.alloc(0);
  #isAsked = false;
  /** Who types here looks here. */
  #hasFocus = true;
  #isTold = false;

  constructor(options: FocusReportsOptions) {
    this.#options = options;
  }

  /** The next output of the process, and any screen of it. */
  printed(output: Uint8Array): void {
    const bytes = Buffer.concat([this.#tail, output]);
    this.#tail = bytes.subarray(-TAIL_BYTES);
    if (!output.includes(0x1b) && !this.#tail.includes(0x1b)) return;
    for (const [, modes, final] of bytes.toString('latin1').matchAll(CHANGE)) {
      if (modes === undefined) this.#isAsked = false;
      else if (modes.split(';').includes(MODE)) this.#isAsked = final === 'h';
    }
  }

  /** What of what was typed is for the process. */
  typed(bytes: Uint8Array): Uint8Array {
    if (!bytes.includes(0x1b)) return bytes;
    const isControlled = this.#options.isControlled();
    const text = Buffer.from(bytes).toString('latin1');
    const passed = text.replaceAll(REPORT, (report) => {
      this.#hasFocus = report.endsWith('I');
      this.#isTold = isControlled && this.#hasFocus;
      return isControlled ? report : '';
    });
    return Buffer.from(passed, 'latin1');
  }

  /** A screen has been drawn, or control may have come or gone. */
  look(): void {
    if (!this.#options.isControlled()) this.#isTold = false;
    else if (this.#isAsked && this.#hasFocus && !this.#isTold) {
      this.#isTold = true;
      this.#options.send(FOCUS_IN);
    }
  }

  /** The process is left, and lives on. */
  left(): void {
    if (this.#isAsked && this.#hasFocus && this.#options.isControlled()) this.#options.send(FOCUS_OUT);
  }
}
