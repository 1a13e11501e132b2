// What a list can say about a terminal without emulating it: its title, and whether a full-screen program has it.
import { plainText } from './plain-text.ts';

/** A title that has not ended after this many bytes is none. */
const TITLE_BYTES = 2048;
const TITLE_CHARS = 256;

const ESC = 0x1b;
const OSC = Buffer.from('\u001b]');
const PRIVATE_MODE = Buffer.from('\u001b[?');
const ALTERNATE_SCREEN: readonly string[] = ['47', '1047', '1049'];

/**
 * Looks for OSC 0 and 2 and for the modes of the alternate screen, in native searches for their first bytes, so that a
 * flood is not looked at byte by byte. A sequence may be cut anywhere.
 */
export class TerminalHints {
  #title: string | null = null;
  #isAlternateScreen = false;
  /** The beginning of a sequence whose end has not come. */
  #begun: Buffer = Buffer.alloc(0);

  get title(): string | null {
    return this.#title;
  }

  get isAlternateScreen(): boolean {
    return this.#isAlternateScreen;
  }

  /** `bytes` may be reused by the caller afterwards. */
  scan(bytes: Buffer): void {
    const all = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes;
    const titlesEnd = this.#scanTitles(all);
    const modesEnd = this.#scanModes(all);
    const rest = Math.min(titlesEnd, modesEnd, lastEscape(all));
    this.#begun = all.length - rest > TITLE_BYTES ? Buffer.alloc(0) : Buffer.from(all.subarray(rest));
  }

  /** Where a sequence begins that has not ended; the length of `bytes` when none has. */
  #scanTitles(bytes: Buffer): number {
    for (let start = bytes.indexOf(OSC); start >= 0; start = bytes.indexOf(OSC, start + OSC.length)) {
      const end = endOfString(bytes, start + OSC.length);
      if (end < 0) return start;
      const [, kind, text] =
        /^([02]);(.*)$/s.exec(
          bytes.toString('utf8', start + OSC.length, Math.min(end, start + TITLE_BYTES)),
        ) ?? [];
      if (kind !== undefined) this.#title = plainText(text ?? '', TITLE_CHARS);
    }
    return bytes.length;
  }

  #scanModes(bytes: Buffer): number {
    const from = PRIVATE_MODE.length;
    for (let at = bytes.indexOf(PRIVATE_MODE); at >= 0; at = bytes.indexOf(PRIVATE_MODE, at + from)) {
      const [, modes, final] =
        /^([\d;]{0,64})(.)?/s.exec(bytes.toString('latin1', at + from, at + from + 65)) ?? [];
      if (final === undefined && at + from + 65 > bytes.length) return at;
      const isScreen = modes?.split(';').some((mode) => ALTERNATE_SCREEN.includes(mode)) ?? false;
      if (isScreen && (final === 'h' || final === 'l')) this.#isAlternateScreen = final === 'h';
    }
    return bytes.length;
  }
}

/** Where the string of an OSC ends (BEL, or ESC of ESC \, or of whatever else cuts it short); -1 when it has not. */
function endOfString(bytes: Buffer, from: number): number {
  const bell = bytes.indexOf(0x07, from);
  const escape = bytes.indexOf(ESC, from);
  if (bell < 0 || escape < 0) return Math.max(bell, escape);
  return Math.min(bell, escape);
}

/** An ESC or ESC [ at the very end may be the beginning of something. */
function lastEscape(bytes: Buffer): number {
  const at = bytes.lastIndexOf(ESC);
  return at >= 0 && at >= bytes.length - 2 ? at : bytes.length;
}
