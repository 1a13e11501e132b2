// Finds bells, prompts and failed commands in the output of a terminal, however it is split.

export type Sign =
  | { readonly kind: 'bell' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'error'; readonly exitCode: number };

const BEL = 0x07;
const ESC = 0x1b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
/** Final bytes of the introducers of strings: DCS, SOS, OSC, PM and APC. */
const STRINGS = new Set([0x50, 0x58, RIGHT_BRACKET, 0x5e, 0x5f]);
/** Maximum characters of a string that are examined. */
const MOST_CHARACTERS = 64;
/** Length above which a string counts as text with an accidental introducer. */
const MOST_STRING_BYTES = 64 * 1024;
const FAILED = /^133;D;(\d{1,5})/;

export class Signs {
  readonly #found: (sign: Sign) => void;
  /** True when the last byte was ESC. */
  #hasEscape = false;
  /** The string that has not ended; null outside strings. */
  #string: { text: string; bytes: number; readonly isCommand: boolean } | null = null;

  constructor(found: (sign: Sign) => void) {
    this.#found = found;
  }

  take(bytes: Buffer): void {
    let nextBell = bytes.indexOf(BEL);
    let at = 0;
    while (at < bytes.length) {
      if (this.#hasEscape) {
        this.#hasEscape = false;
        this.#afterEscape(bytes[at] ?? 0);
        at += 1;
        continue;
      }
      if (nextBell >= 0 && nextBell < at) nextBell = bytes.indexOf(BEL, at);
      const escape = bytes.indexOf(ESC, at);
      const ends = [nextBell, escape].filter((each) => each >= 0);
      const end = ends.length > 0 ? Math.min(...ends) : bytes.length;
      this.#passed(bytes.subarray(at, end));
      at = end + 1;
      if (end === bytes.length) return;
      if (end === escape) this.#hasEscape = true;
      else if (this.#string) this.#end();
      else this.#found({ kind: 'bell' });
    }
  }

  #passed(bytes: Buffer): void {
    const open = this.#string;
    if (!open) return;
    open.bytes += bytes.length;
    if (open.bytes > MOST_STRING_BYTES) this.#string = null;
    else if (open.text.length < MOST_CHARACTERS)
      open.text += bytes.toString('latin1', 0, MOST_CHARACTERS - open.text.length);
  }

  #afterEscape(byte: number): void {
    if (this.#string && byte === BACKSLASH) this.#end();
    else if (byte === ESC) this.#hasEscape = true;
    else this.#string = STRINGS.has(byte) ? { text: '', bytes: 0, isCommand: byte === RIGHT_BRACKET } : null;
  }

  #end(): void {
    const { text = '', isCommand = false } = this.#string ?? {};
    this.#string = null;
    if (!isCommand) return;
    const exitCode = Number(FAILED.exec(text)?.[1] ?? 0);
    if (text.startsWith('133;A')) this.#found({ kind: 'prompt' });
    else if (exitCode !== 0) this.#found({ kind: 'error', exitCode });
  }
}
