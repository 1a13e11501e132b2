// One stream of a process's output on its way to a terminal: what of it is passed on, and what it changes there.
import { allowed, type Part } from './allowed-sequences.ts';
import { SequenceParser, spell, type Sequence } from './sequence-parser.ts';
import type { TerminalChanges } from './terminal-changes.ts';

/** Whatever a terminal has begun to read ends here, and is forgotten: CAN, and the end of a string for those that mind none. */
const BREAK = '\u0018\u001b\\';
/** What a full reset does to a screen. */
const CLEARED = '\u001b[!p\u001b[m\u001b[H\u001b[2J';
/** More marks on one letter than any writing needs, which a terminal may keep and measure all. */
const MARKS = /(\p{M}{32})\p{M}+/gu;
const SHIFTS = '\u000e\u000f';

export class ControlSequences {
  readonly #changes: TerminalChanges;
  readonly #columns: () => number;
  readonly #parser = new SequenceParser();
  #decoder = utf8();
  /** Whether what the parser has begun to read has also been passed on. */
  #isRaw = false;

  /** `columns`: how wide the terminal is. */
  constructor(changes: TerminalChanges, columns: () => number) {
    this.#changes = changes;
    this.#columns = columns;
  }

  /**
   * What of the output the terminal may have: all of it as it is if the terminal is the one that `answers`; else a
   * sequence that has not ended waits for its end.
   */
  pass(output: Uint8Array, part: Part | 'answering'): Uint8Array {
    const text = this.#decoder.decode(output, { stream: true });
    // The end of a sequence whose beginning was kept back would be shown as text.
    const isRaw = part === 'answering' && (this.#isRaw || this.#parser.isAtRest);
    const passed = isRaw
      ? this.#noted(output, text)
      : this.#passed(text, part === 'answering' ? 'controlling' : part);
    this.#isRaw = isRaw;
    return passed;
  }

  /** Ends what the terminal has begun to read, and forgets what has begun and not been passed on. */
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
