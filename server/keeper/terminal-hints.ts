// Extracts facts about a terminal for lists without emulating it: title, requests for attention, progress.
import type { Progress } from '../../protocol/console.ts';
import { bytesWithEscapes } from '../../text/c1-escapes.ts';
import { plainText } from '../../text/plain-text.ts';
import type { Attention, AttentionListener } from './process-view.ts';

/**
 * Maximum number of bytes read of a control string. A longer one is cut, or ignored if it is still unfinished at the
 * end of a scan.
 */
const STRING_BYTES = 2048;
const TITLE_CHARS = 256;
const NOTIFICATION_CHARS = 512;

const BELL = 0x07;
const ESC = 0x1b;
const OSC = Buffer.from('\u001b]');
const PRIVATE_MODE = Buffer.from('\u001b[?');
const RESET = Buffer.from('\u001bc');
const ALTERNATE_SCREEN: readonly string[] = ['47', '1047', '1049'];

/** States by ConEmu's numbers; 0 removes the progress. */
const PROGRESS: readonly (Progress['state'] | null)[] = [null, 'normal', 'error', 'indeterminate', 'paused'];

/** Start of an OSC (its ESC), and index of the byte that ends it. */
interface ControlString {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds OSCs, bells and alternate-screen modes with native searches for their first bytes, which is fast for
 * floods. A sequence may be split at any byte between two calls of `scan`.
 */
export class TerminalHints {
  readonly #onAttention: AttentionListener;
  #title: string | null = null;
  #attention: Attention = { bellAtMs: null, notification: null, progress: null };
  #isAlternateScreen = false;
  /** Time at which the bytes that are being scanned were read. */
  #atMs = 0;
  /** Start of a sequence that has not ended yet. */
  #begun: Buffer = Buffer.alloc(0);
  /** True inside a string that is too long to be read; only its end is searched for. */
  #isInLongString = false;

  constructor(onAttention: AttentionListener) {
    this.#onAttention = onAttention;
  }

  get title(): string | null {
    return this.#title;
  }

  get attention(): Attention {
    return this.#attention;
  }

  get isAlternateScreen(): boolean {
    return this.#isAlternateScreen;
  }

  /** Scans output that was read at `atMs`; the caller may reuse `output` afterwards. */
  scan(output: Buffer, atMs = Date.now()): void {
    this.#atMs = atMs;
    const bytes = bytesWithEscapes(output);
    // Most output has no control sequences.
    if (this.#begun.length === 0 && bytes.indexOf(ESC) < 0 && bytes.indexOf(BELL) < 0) return;
    if (this.#isInLongString) {
      this.#isInLongString = false;
      this.scan(bytes.subarray(afterString(bytes)), atMs);
      return;
    }
    const all = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes;
    const { strings, openAt } = controlStrings(all);
    const rest = Math.min(openAt, this.#scanModes(all), lastEscape(all));
    // Strings after `rest` are not read yet, but scanned again together with later output.
    for (const each of strings) if (each.start < rest) this.#read(all, each);
    if (hasBell(all, rest, strings)) this.#ring();
    this.#isInLongString = all.length - rest > STRING_BYTES;
    this.#begun = this.#isInLongString ? Buffer.alloc(0) : Buffer.from(all.subarray(rest));
  }

  #read(bytes: Buffer, { start, end }: ControlString): void {
    const from = start + OSC.length;
    const [, kind, text = ''] =
      /^(\d+);(.*)$/s.exec(bytes.toString('utf8', from, Math.min(end, from + STRING_BYTES))) ?? [];
    if (kind === '0' || kind === '2') this.#title = plainText(text, TITLE_CHARS);
    else if (kind === '9') this.#readNine(text);
    else if (kind === '777' && text.startsWith('notify;')) {
      this.#notify(text.slice('notify;'.length).replace(';', ': '));
    }
  }

  /** Reads an OSC 9: a notification of iTerm2, or one of ConEmu's numbered commands. */
  #readNine(text: string): void {
    const [, state, percent] = /^4;([0-4])(?:;(\d{0,3}))?/.exec(text) ?? [];
    if (state !== undefined) {
      this.#attention = { ...this.#attention, progress: progressOf(Number(state), percent) };
    } else if (!/^\d{1,2}(?:;|$)/.test(text)) this.#notify(text);
  }

  #notify(text: string): void {
    const plain = plainText(text, NOTIFICATION_CHARS);
    if (plain === null) return;
    this.#attention = { ...this.#attention, notification: { text: plain, atMs: this.#atMs } };
    this.#onAttention(plain);
  }

  #ring(): void {
    this.#attention = { ...this.#attention, bellAtMs: this.#atMs };
    this.#onAttention(null);
  }

  /** Tracks the alternate screen; returns the index of an unfinished sequence, else the length of `bytes`. */
  #scanModes(bytes: Buffer): number {
    const from = PRIVATE_MODE.length;
    const resetAt = bytes.lastIndexOf(RESET);
    if (resetAt >= 0) this.#isAlternateScreen = false;
    for (
      let at = bytes.indexOf(PRIVATE_MODE, Math.max(resetAt, 0));
      at >= 0;
      at = bytes.indexOf(PRIVATE_MODE, at + from)
    ) {
      const [, modes, final] =
        /^([\d;]{0,64})(.)?/s.exec(bytes.toString('latin1', at + from, at + from + 65)) ?? [];
      if (final === undefined && at + from + 65 > bytes.length) return at;
      const isScreen = modes?.split(';').some((mode) => ALTERNATE_SCREEN.includes(mode)) ?? false;
      if (isScreen && (final === 'h' || final === 'l')) this.#isAlternateScreen = final === 'h';
    }
    return bytes.length;
  }
}

function progressOf(state: number, percent: string | undefined): Progress | null {
  const word = PROGRESS[state];
  if (!word) return null;
  const isKnown = word !== 'indeterminate' && percent !== undefined && percent !== '';
  return { state: word, percent: isKnown ? Math.min(100, Number(percent)) : null };
}

/** Returns the strings that have ended, and the start of one that has not, or else the length of `bytes`. */
function controlStrings(bytes: Buffer): { strings: ControlString[]; openAt: number } {
  const strings: ControlString[] = [];
  for (let start = bytes.indexOf(OSC); start >= 0; start = bytes.indexOf(OSC, start + OSC.length)) {
    const end = endOfString(bytes, start + OSC.length);
    if (end < 0) return { strings, openAt: start };
    strings.push({ start, end });
  }
  return { strings, openAt: bytes.length };
}

/** Returns true when a bell before `rest` does not end a string. */
function hasBell(bytes: Buffer, rest: number, strings: readonly ControlString[]): boolean {
  let next = 0;
  for (let at = bytes.indexOf(BELL); at >= 0 && at < rest; at = bytes.indexOf(BELL, at + 1)) {
    while ((strings[next]?.end ?? at) < at) next += 1;
    if (strings[next]?.end !== at) return true;
  }
  return false;
}

/** Returns the index of the BEL or ESC that ends an OSC string; -1 when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  const escape = bytes.indexOf(ESC, from);
  // The search for BEL stops at the next ESC, so that each string does not scan the whole rest.
  const bell = bytes.subarray(from, escape < 0 ? undefined : escape).indexOf(BELL);
  return bell < 0 ? escape : from + bell;
}

/**
 * Returns the index at which reading continues after a string whose end is in `bytes`: after its BEL, or at its ESC,
 * which may begin another sequence.
 */
function afterString(bytes: Buffer): number {
  const end = endOfString(bytes, 0);
  return bytes[end] === BELL ? end + 1 : end;
}

/** Returns the index of an ESC or ESC [ at the very end, which may begin a sequence; else the length of `bytes`. */
function lastEscape(bytes: Buffer): number {
  const at = bytes.lastIndexOf(ESC);
  const isBegun = at === bytes.length - 1 || (at === bytes.length - 2 && bytes[at + 1] === PRIVATE_MODE[1]);
  return at >= 0 && isBegun ? at : bytes.length;
}
