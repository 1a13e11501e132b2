// Focus reports for a program that has requested them (mode 1004), from the command in control alone. The command
// passes on the reports of its terminal. While the terminal has the focus, the command also reports the focus when it
// has drawn a screen or gained control, and the loss of the focus when it detaches from the process.

const FOCUS_IN = Buffer.from('\u001b[I');
const FOCUS_OUT = Buffer.from('\u001b[O');
/* oxlint-disable no-control-regex -- these are control sequences */
const REPORT = /\u001b\[[IO]/g;
/** Sequences that set or reset private modes, and those for a full and for a soft reset of the terminal. */
const CHANGE = /\u001b(?:\[\?([\d;]+)([hl])|c|\[!p)/g;
/* oxlint-enable no-control-regex */
/** Number of bytes retained from the end of a chunk: enough for the beginning of a split sequence with a few modes. */
const TAIL_BYTES = 32;
const MODE = '1004';

export interface FocusReportsOptions {
  readonly isControlled: () => boolean;
  readonly send: (report: Buffer) => void;
}

export class FocusReports {
  readonly #options: FocusReportsOptions;
  /** Last bytes of the output so far, which may contain the beginning of an unfinished sequence. */
  #tail = Buffer.alloc(0);
  #isAsked = false;
  /** True at first, because a person who types here has focused this terminal. */
  #hasFocus = true;
  #isReported = false;

  constructor(options: FocusReportsOptions) {
    this.#options = options;
  }

  /** Searches new output of the process, or a screen of it, for sequences that request or stop focus reports. */
  printed(output: Uint8Array): void {
    const bytes = Buffer.concat([this.#tail, output]);
    this.#tail = bytes.subarray(-TAIL_BYTES);
    if (!output.includes(0x1b) && !this.#tail.includes(0x1b)) return;
    for (const [, modes, final] of bytes.toString('latin1').matchAll(CHANGE)) {
      if (modes === undefined) this.#isAsked = false;
      else if (modes.split(';').includes(MODE)) this.#isAsked = final === 'h';
    }
  }

  /** Records the terminal's focus reports; returns the bytes, without the reports unless this command is in control. */
  typed(bytes: Uint8Array): Uint8Array {
    if (!bytes.includes(0x1b)) return bytes;
    const isControlled = this.#options.isControlled();
    const text = Buffer.from(bytes).toString('latin1');
    const passed = text.replaceAll(REPORT, (report) => {
      this.#hasFocus = report.endsWith('I');
      this.#isReported = isControlled && this.#hasFocus;
      return isControlled ? report : '';
    });
    return Buffer.from(passed, 'latin1');
  }

  /**
   * Reports the focus once to a program that has requested reports, while this command has control and the focus; call
   * it after drawing a screen, and when control may have changed.
   */
  look(): void {
    if (!this.#options.isControlled()) this.#isReported = false;
    else if (this.#isAsked && this.#hasFocus && !this.#isReported) {
      this.#isReported = true;
      this.#options.send(FOCUS_IN);
    }
  }

  /**
   * Reports the focus as lost, unless the program has requested no reports, or this command lacks control or the focus;
   * call it when the command detaches.
   */
  left(): void {
    if (this.#isAsked && this.#hasFocus && this.#options.isControlled()) this.#options.send(FOCUS_OUT);
  }
}
