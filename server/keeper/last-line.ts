// Finds the last line of a process's output with visible text, for lists.
import { withEscapes } from '../../text/c1-escapes.ts';
import { plainLine, plainText } from '../../text/plain-text.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';

/** Minimum length of the end of the output that is searched for the last line; the maximum is below four times that. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;
const ALTERNATE_SCREEN: readonly string[] = ['47', '1047', '1049'];
/* oxlint-disable no-control-regex -- these are control sequences */
/** Control strings (OSC, DCS, SOS, PM, APC); a line feed does not end them. */
const STRINGS = /\u001b(?:\][^\u0007\u0018\u001a\u001b]*\u0007?|[PX^_][^\u0018\u001a\u001b]*)(?:\u001b\\)?/g;
const MODES = /\u001b\[\?([\d;]*)([hl])/g;
/* oxlint-enable no-control-regex */

/** The end of an output, which is searched for its last line. */
export interface OutputEnd {
  readonly bytes: number;
  readonly isWhole: boolean;
  /** Start of the control sequence that this part continues; empty when it begins outside of one. */
  readonly opening: string;
}

/** Tracks the output's control sequences, so that the inside of a string is not taken for text. */
export class LastOutput {
  readonly #unended = new UnendedSequence();
  #bytes = 0;
  /** Start of the part to search; `#next` replaces it once `#next` is far enough from the newest byte. */
  #from = { atBytes: 0, opening: '' };
  #next = this.#from;

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
 * Returns the last line with visible text, or null. `tail` has the bytes of `end`, or fewer when less is retained;
 * `shown` converts a printed line to the text it leaves on the screen.
 */
export function lastLine(tail: Buffer, end: OutputEnd, shown = plainLine): string | null {
  const opening = tail.length === end.bytes ? end.opening : '';
  const printed = opening + withEscapes(tail.toString('utf8'));
  const text = onNormalScreen(printed.replace(STRINGS, ''), end.isWhole);
  const lines = text.split('\n');
  for (const line of lines.toReversed()) {
    const visible = plainText(shown(line), LAST_LINE_CHARS);
    if (visible !== null) return visible;
  }
  return null;
}

/**
 * Returns the text without output on alternate screens that were left, since a terminal then restores the earlier
 * content.
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
    // Text before an exit from the alternate screen may have been printed there even if its entry is missing.
    if (isKnown || enteredAt !== null) normal += text.slice(from, enteredAt ?? index);
    isKnown = true;
    enteredAt = null;
    from = index + sequence.length;
  }
  return normal + text.slice(from);
}
