// The last line of an output with visible text, as a list shows it.
import { withEscapes } from '../../text/c1-escapes.ts';
import { plainLine, plainText } from '../../text/plain-text.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';

/** The last line is searched in at least so much of the end of an output, and in less than four times as much. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;
const ALTERNATE_SCREEN: readonly string[] = ['47', '1047', '1049'];
/* oxlint-disable no-control-regex -- these are control sequences */
/** A line feed does not end them. */
const STRINGS = /\u001b(?:\][^\u0007\u0018\u001a\u001b]*\u0007?|[PX^_][^\u0018\u001a\u001b]*)(?:\u001b\\)?/g;
const MODES = /\u001b\[\?([\d;]*)([hl])/g;
/* oxlint-enable no-control-regex */

/** The end of an output. */
export interface OutputEnd {
  /** Length of the end. */
  readonly bytes: number;
  readonly isWhole: boolean;
  /** The bytes that take a terminal into the sequence or string in which it begins; empty outside of one. */
  readonly opening: string;
}

/** Follows an output, so that its tail is not taken for text when it is the inside of a string. */
export class LastOutput {
  readonly #unended = new UnendedSequence();
  #bytes = 0;
  /** Two places: a newer one takes the place of `from` when it is far enough from the end. */
  #from = { atBytes: 0, opening: '' };
  #next = this.#from;

  /** The next piece. */
  take(bytes: Buffer): void {
    const cut = Math.max(0, bytes.length - LAST_LINE_BYTES);
    if (cut > 0) this.#goOn(bytes.subarray(0, cut));
    this.#goOn(bytes.subarray(cut));
  }

  get end(): OutputEnd {
    const { atBytes, opening } = this.#from;
    return { bytes: this.#bytes - atBytes, isWhole: atBytes === 0, opening };
  }

  #goOn(bytes: Buffer): void {
    this.#unended.take(bytes);
    this.#bytes += bytes.length;
    const here = { atBytes: this.#bytes, opening: this.#unended.opening };
    if (this.#bytes - this.#next.atBytes < LAST_LINE_BYTES) return;
    this.#from = this.#next;
    this.#next = here;
  }
}

/**
 * `tail` has the bytes of `end`, or fewer when no more are retained. Null when there is none. `shown`: a printed line →
 * what is shown of it.
 */
export function lastLine(tail: Buffer, end: OutputEnd, shown = plainLine): string | null {
  const opening = tail.length === end.bytes ? end.opening : '';
  const printed = opening + withEscapes(tail.toString('utf8'));
  const text = onNormalScreen(printed.replace(STRINGS, ''), end.isWhole);
  const lines = text.split('\n');
  for (const line of lines.toReversed()) {
    const said = plainText(shown(line), LAST_LINE_CHARS);
    if (said !== null) return said;
  }
  return null;
}

/**
 * Returns the text without output on an alternate screen that was left: the screen then shows the content from before.
 */
function onNormalScreen(text: string, isFromStart: boolean): string {
  let normal = '';
  let from = 0;
  let enteredAt: number | null = null;
  let isKnown = isFromStart;
  for (const { index, 0: sequence, 1: modes = '', 2: final } of text.matchAll(MODES)) {
    if (!modes.split(';').some((mode) => ALTERNATE_SCREEN.includes(mode))) continue;
    if (final === 'h') {
      enteredAt ??= index;
      continue;
    }
    // Text before the first exit from an alternate screen, without its entry, may be that screen's.
    if (isKnown || enteredAt !== null) normal += text.slice(from, enteredAt ?? index);
    isKnown = true;
    enteredAt = null;
    from = index + sequence.length;
  }
  return normal + text.slice(from);
}
