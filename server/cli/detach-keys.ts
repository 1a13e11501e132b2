// The keys that leave a process running: looked for in what is typed, in every way in which a terminal sends them.
import { UsageError } from './usage-error.ts';

/** As dtach and abduco have it: shells and full-screen programs seldom need it. In a cooked terminal it is SIGQUIT. */
export const DEFAULT_DETACH_KEYS = 'ctrl-\\';

/** Bits of a key's modifiers: those of the locks do not count. */
const SHIFT = 1;
const CTRL = 4;
const LOCKS = 64 | 128;
/** Where kitty's protocol has the keys that are modifiers or locks themselves. */
const isModifierKey = (code: number): boolean =>
  (code >= 57_358 && code <= 57_360) || (code >= 57_441 && code <= 57_454);
const RELEASE = 3;

/** The key that Shift makes the character of, on most keyboards. */
const UNSHIFTED: { readonly [char: string]: string } = { '@': '2', '^': '6', _: '-' };

/** A key that is spelled out, by kitty's protocol or xterm's modifyOtherKeys; or one byte, as Latin-1. */
// oxlint-disable-next-line no-control-regex -- a control sequence
const KEY = /\u001b\[([\d:;]*)([u~])|[^]/g;
const LONGEST_KEY = 64;
/** One that has begun to be spelled out. ESC alone is a key. */
// oxlint-disable-next-line no-control-regex -- a control sequence
const BEGUN = /\u001b\[[\d:;]+$/;

interface Key {
  readonly name: string;
  /** The control character. */
  readonly byte: string;
  /** The letter. */
  readonly code: number;
}

export interface Typed {
  /** What is for the process. */
  readonly bytes: Buffer;
  readonly isDetached: boolean;
}

export class DetachKeys {
  readonly #keys: readonly Key[];
  /** How many of the keys have been typed, and their bytes, which are the process's if another key follows. */
  #typed = 0;
  #held = '';
  /** What has come of a key that is spelled out. */
  #begun = '';

  /** As `ctrl-p,ctrl-q`; `none` for none. Throws UsageError. */
  constructor(spec: string) {
    this.#keys = spec === 'none' ? [] : spec.split(',').map(keyOf);
  }

  /** For a person. */
  get name(): string | null {
    return this.#keys.map(({ name }) => name).join(' ') || null;
  }

  /** Whether a cooked terminal makes SIGQUIT of them. */
  get isQuit(): boolean {
    return this.name === 'Ctrl-\\';
  }

  /** Whether something typed waits for what comes next. */
  get isHolding(): boolean {
    return this.#held !== '' || this.#begun !== '';
  }

  type(chunk: Buffer): Typed {
    if (this.#keys.length === 0) return { bytes: chunk, isDetached: false };
    const all = this.#begun + chunk.toString('latin1');
    this.#begun = BEGUN.exec(all.slice(-LONGEST_KEY))?.[0] ?? '';
    let passed = '';
    for (const [key, parts, final] of all.slice(0, all.length - this.#begun.length).matchAll(KEY)) {
      const typed = final === undefined ? key : spelledOut(parts ?? '', final);
      if (!this.#isNext(typed) && !(this.#typed > 0 && isNoPress(typed))) passed += this.#startOver();
      if (this.#isNext(typed)) this.#typed += 1;
      else if (this.#typed === 0) {
        passed += key;
        continue;
      }
      this.#held += key;
      if (this.#typed === this.#keys.length)
        return { bytes: Buffer.from(passed, 'latin1'), isDetached: true };
    }
    return { bytes: Buffer.from(passed, 'latin1'), isDetached: false };
  }

  /** What has waited long enough, which is the process's. */
  release(): Buffer {
    const released = this.#startOver() + this.#begun;
    this.#begun = '';
    return Buffer.from(released, 'latin1');
  }

  #startOver(): string {
    const held = this.#held;
    this.#held = '';
    this.#typed = 0;
    return held;
  }

  #isNext(typed: string | SpelledOut): boolean {
    const next = this.#keys[this.#typed];
    if (!next) return false;
    if (typeof typed === 'string') return typed === next.byte;
    return !isNoPress(typed) && isKey(typed, next);
  }
}

interface SpelledOut {
  /** The key, what Shift makes of it, and the key in its place on a Latin keyboard, as far as they are told. */
  readonly codes: readonly number[];
  readonly modifiers: number;
  readonly event: number;
}

/** Kitty's `code:shifted:base;modifiers:event;text u`, and xterm's `27;modifiers;code ~`. */
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

function keyOf(name: string): Key {
  const [, letter] = /^ctrl-([a-z@[\\\]^_])$/i.exec(name) ?? [];
  if (letter === undefined) {
    throw new UsageError(`--detach-keys: expected keys as ctrl-a or ctrl-p,ctrl-q, or none; not "${name}"`);
  }
  return {
    name: `Ctrl-${letter.toUpperCase()}`,
    byte: String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f),
    code: letter.toLowerCase().charCodeAt(0),
  };
}
