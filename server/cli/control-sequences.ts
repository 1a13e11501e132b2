// Filters one output stream of a process for a terminal, and tracks the changes that it makes to the terminal.
import { allowed, type Part } from './allowed-sequences.ts';
import { SequenceParser, spell, type Sequence } from './sequence-parser.ts';
import type { TerminalChanges } from './terminal-changes.ts';

/** Ends any unfinished sequence in a terminal: CAN, and ST for strings that ignore CAN. */
const BREAK = '\u0018\u001b\\';
/** Sequences that, with the undo sequences before them, replace a full reset; they also clear the screen. */
const CLEARED = '\u001b[!p\u001b[m\u001b[H\u001b[2J';
/**
 * Combining marks beyond 32 on one letter: no script needs that many, and a terminal might store and measure all of
 * them.
 */
const MARKS = /(\p{M}{32})\p{M}+/gu;
const SHIFTS = '\u000e\u000f';

export class ControlSequences {
  readonly #changes: TerminalChanges;
  readonly #columns: () => number;
  readonly #parser = new SequenceParser();
  #decoder = utf8();
  /** True when the last output was passed unfiltered: an unfinished sequence of it has then reached the terminal. */
  #isRaw = false;

  constructor(changes: TerminalChanges, columns: () => number) {
    this.#changes = changes;
    this.#columns = columns;
  }

  /**
   * Returns the output that the terminal may receive, with sequences that save the modes which it changes. Nothing
   * is removed when `part` is `answering` and no sequence is held back; otherwise the output is filtered, and an
   * unfinished sequence is held back until its end.
   */
  pass(output: Uint8Array, part: Part | 'answering'): Uint8Array {
    const text = this.#decoder.decode(output, { stream: true });
    // The end of a sequence whose beginning was held back would be shown as text.
    const isRaw = part === 'answering' && (this.#isRaw || this.#parser.isAtRest);
    const passed = isRaw
      ? this.#noted(output, text)
      : this.#passed(text, part === 'answering' ? 'controlling' : part);
    this.#isRaw = isRaw;
    return passed;
  }

  /**
   * Returns the sequence that ends an unfinished one in the terminal, else `''`; drops a sequence that is held
   * back.
   */
  end(): string {
    const ended = this.#isRaw && !this.#parser.isAtRest ? BREAK : '';
    this.#parser.reset();
    this.#decoder = utf8();
    this.#isRaw = false;
    return ended;
  }

  #noted(output: Uint8Array, text: string): Uint8Array {
    const isBetween = this.#parser.isAtRest && !isContinuation(output[0]);
    this.#parser.parse(text, {
      text: () => undefined,
      control: (control) => this.#changes.control(control),
      sequence: (sequence) => this.#changes.sequence(sequence),
    });
    if (!isBetween) this.#changes.leaveUnsaved();
    const saving = this.#changes.takeSaving();
    return saving === '' ? output : Buffer.concat([Buffer.from(saving), output]);
  }

  #passed(text: string, part: Part): Uint8Array {
    const passed: string[] = [];
    if (this.#isRaw && !this.#parser.isAtRest) {
      this.#parser.reset();
      passed.push(BREAK);
    }
    this.#parser.parse(text, {
      text: (run) => passed.push(run.replaceAll(MARKS, '$1')),
      control: (control) => {
        if (!SHIFTS.includes(control)) return;
        this.#changes.control(control);
        passed.push(control);
      },
      sequence: (sequence) => passed.push(this.#allowed(sequence, part)),
    });
    return Buffer.from(passed.join(''));
  }

  #allowed(sequence: Sequence, part: Part): string {
    if (sequence.kind === 'escape' && sequence.middle === '' && sequence.final === 'c')
      return this.#changes.undo(this.#columns()) + CLEARED;
    const left = allowed(sequence, part);
    if (!left) return '';
    this.#changes.sequence(left);
    return this.#changes.takeSaving() + spell(left);
  }
}

const utf8 = (): InstanceType<typeof TextDecoder> => new TextDecoder('utf-8', { ignoreBOM: true });

const isContinuation = (byte = 0): boolean => byte >= 0x80 && byte < 0xc0;
