// Finds the detach keys, which leave a process running, in typed input, in the encodings that terminals use.
import { openPasteEnd, PASTE_END, tokenAt } from './typed-sequences.ts';
import { UsageError } from './usage-error.ts';

/**
 * Default of dtach and abduco, rarely needed by other programs. A cooked terminal turns the key into SIGQUIT.
 */
export const DEFAULT_DETACH_KEYS = 'ctrl-\\';

/** Bits of modifier keys; those of the lock keys are ignored. */
const SHIFT = 1;
const CTRL = 4;
const LOCKS = 64 | 128;
/** Returns true for kitty's codes of modifier and lock keys. */
const isModifierKey = (code: number): boolean =>
  (code >= 57_358 && code <= 57_360) || (code >= 57_441 && code <= 57_454);
const RELEASE = 3;

/** Keys that produce these characters with Shift on a US keyboard. */
const UNSHIFTED: { readonly [char: string]: string } = { '@': '2', '^': '6', _: '-' };

const ESC = '\u001b';
const CSI = '\u001b[';

interface Key {
  readonly name: string;
  /** Control character of the key. */
  readonly byte: string;
  /** Code of the character that is typed with Ctrl, in lower case. */
  readonly code: number;
}

export interface Typed {
  /** Bytes to send to the process. */
  readonly bytes: Buffer;
  readonly isDetached: boolean;
  /** True when the input contained a key, and always when there are no detach keys. */
  readonly hasKey: boolean;
}

export class DetachKeys {
  readonly #keys: readonly Key[];
  /**
   * Bytes of the first detach keys, each with its release events; sent to the process when a different key follows,
   * or none follows in time.
   */
  #held: string[] = [];
  /** Beginning of an unfinished key, report or paste end. */
  #begun = '';
  /** Number of bytes of `#begun` that were already sent to the process. */
  #begunPassed = 0;
  #isPasting = false;

  /** `spec`: for example `ctrl-p,ctrl-q`, or `none`. Throws UsageError. */
  constructor(spec: string) {
    this.#keys = spec === 'none' ? [] : spec.split(',').map((name) => keyOf(name, spec));
  }

  /** Display name of the keys; null when there are none. */
  get name(): string | null {
    return this.#keys.map(({ name }) => name).join(' ') || null;
  }

  /** True when a cooked terminal turns the keys into SIGQUIT. */
  get isQuit(): boolean {
    return this.name === 'Ctrl-\\';
  }

  /** True while input is incomplete, such as the first of two detach keys; the rest is awaited for a limited time. */
  get isHolding(): boolean {
    return this.#held.length > 0 || (this.#begun !== '' && !this.#isPasting);
  }

  type(chunk: Buffer): Typed {
    if (this.#keys.length === 0) return { bytes: chunk, isDetached: false, hasKey: true };
    const all = this.#begun + chunk.toString('latin1');
    const known = this.#begunPassed;
    this.#begun = '';
    this.#begunPassed = 0;
    let passed = '';
    let hasKey = false;
    const result = (isDetached: boolean): Typed => ({
      bytes: Buffer.from(passed, 'latin1'),
      isDetached,
      hasKey,
    });
    let at = 0;
    while (at < all.length) {
      if (this.#isPasting) {
        const end = all.indexOf(PASTE_END, at);
        const to = end < 0 ? all.length : end + PASTE_END.length;
        passed += all.slice(Math.max(at, known), to);
        at = to;
        this.#isPasting = end < 0;
        if (this.#isPasting) this.#begin(openPasteEnd(all), Number.POSITIVE_INFINITY);
        continue;
      }
      const token = tokenAt(all, at);
      const { text } = token;
      // Bytes that were already sent to the process are not sent again.
      const fresh = text.slice(Math.max(0, known - at));
      if (token.kind === 'open' && this.#isAwaited(text)) {
        const isGiven = this.#held.length === 0 && CSI.startsWith(text);
        if (isGiven) passed += fresh;
        this.#begin(text, isGiven ? text.length : text.length - fresh.length);
        break;
      }
      if (token.kind === 'report') passed += fresh;
      else if (token.kind === 'paste') {
        this.#isPasting = true;
        passed += this.#startOver() + fresh;
      } else {
        hasKey = true;
        const key = token.kind === 'key' ? token : { text: text.charAt(0), spelled: null };
        const typed = key.spelled ? spelledOut(...key.spelled) : key.text;
        passed += this.#take(typed, key.text.slice(Math.max(0, known - at)));
        at += key.text.length;
        if (this.#held.length === this.#keys.length) return result(true);
        continue;
      }
      at += text.length;
    }
    return result(false);
  }

  /** Returns all held bytes, which go to the process because the next key has not arrived in time. */
  release(): Buffer {
    const released = this.#startOver() + this.#begun.slice(this.#begunPassed);
    if (!this.#isPasting) this.#begin('', 0);
    return Buffer.from(released, 'latin1');
  }

  #begin(begun: string, passed: number): void {
    this.#begun = begun;
    this.#begunPassed = Math.min(begun.length, passed);
  }

  /**
   * Returns true when the rest of an unfinished sequence must be awaited: not for an Escape that is the next detach key
   * and, while no key is held, not for Alt with `]`, `P` or `_`, with which some reports begin.
   */
  #isAwaited(open: string): boolean {
    if (open === ESC && this.#isNext(ESC)) return false;
    return this.#held.length > 0 || open.length > 2 || CSI.startsWith(open);
  }

  /** Returns the bytes of held keys, and of this one, that can no longer be part of the detach keys. */
  #take(typed: string | SpelledOut, text: string): string {
    const last = this.#held.length - 1;
    if (last >= 0 && isNoPress(typed)) {
      this.#held[last] += text;
      return '';
    }
    let passed = '';
    while (this.#held.length > 0 && !this.#isNext(typed)) passed += this.#startLater();
    if (!this.#isNext(typed)) return passed + text;
    this.#held.push(text);
    return passed;
  }

  #startOver(): string {
    return this.#held.splice(0).join('');
  }

  /** Holds back only the last held keys that may still begin the detach keys, and returns the bytes of the others. */
  #startLater(): string {
    const { length } = this.#held;
    const bytes = this.#keys.map(({ byte }) => byte).join('');
    let heldCount = length - 1;
    while (!bytes.startsWith(bytes.slice(length - heldCount, length))) heldCount -= 1;
    return this.#held.splice(0, length - heldCount).join('');
  }

  #isNext(typed: string | SpelledOut): boolean {
    const next = this.#keys[this.#held.length];
    if (!next) return false;
    if (typeof typed === 'string') return typed === next.byte;
    return !isNoPress(typed) && isKey(typed, next);
  }
}

interface SpelledOut {
  /** Codes of the key, of its shifted character, and of the key at the same place on a Latin keyboard, if reported. */
  readonly codes: readonly number[];
  readonly modifiers: number;
  readonly event: number;
}

/** Parses kitty's `code:shifted:base;modifiers:event;text u`, and xterm's `27;modifiers;code ~`. */
function spelledOut(parts: string, final: string): SpelledOut {
  const fields = parts.split(';').map((field) => field.split(':').map(Number));
  const [first = [], [modifiers = 1, event = 1] = [], third = []] = fields;
  const codes = final === 'u' ? first : first[0] === 27 ? third : [];
  return { codes, modifiers: ((modifiers || 1) - 1) & ~LOCKS, event };
}

const isNoPress = (typed: string | SpelledOut): boolean =>
  typeof typed !== 'string' && (typed.event === RELEASE || isModifierKey(typed.codes[0] ?? 0));

function isKey({ codes, modifiers }: SpelledOut, { code }: Key): boolean {
  const letter = String.fromCharCode(code);
  const unshifted = UNSHIFTED[letter];
  if (modifiers === CTRL) return codes.includes(code) || codes[0] === letter.toUpperCase().charCodeAt(0);
  if (modifiers !== (CTRL | SHIFT) || unshifted === undefined) return false;
  return codes.includes(code) || codes[0] === unshifted.charCodeAt(0);
}

/** `spec`: all detach keys, for the error. Throws UsageError. */
function keyOf(name: string, spec: string): Key {
  const [, letter] = /^ctrl-([a-z@[\\\]^_])$/i.exec(name) ?? [];
  if (letter === undefined) {
    throw new UsageError(`--detach-keys ${spec}: expected keys such as ctrl-a or ctrl-p,ctrl-q, or none`);
  }
  return {
    name: `Ctrl-${letter.toUpperCase()}`,
    byte: String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f),
    code: letter.toLowerCase().charCodeAt(0),
  };
}
