// The keys that leave a process running: looked for in what is typed, in every way in which a terminal sends them.
import { UsageError } from './usage-error.ts';

/** As dtach and abduco have it: shells and full-screen programs seldom need it. In a cooked terminal it is SIGQUIT. */
export const DEFAULT_DETACH_KEYS = 'ctrl-\\';

/** Bits that the locks add to a key's modifiers, and the one of Ctrl. */
const LOCKS = 64 | 128;
const CTRL = 4;

interface Key {
  readonly name: string;
  /** At a place in what was typed, as Latin-1. */
  readonly pattern: RegExp;
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

  type(chunk: Buffer): Typed {
    const text = chunk.toString('latin1');
    let passed = '';
    for (let at = 0; at < text.length;) {
      const match = this.#matchAt(text, at) ?? (this.#typed > 0 ? this.#startOver(text, at) : null);
      if (match?.given !== undefined) passed += match.given;
      if (!match?.key) {
        passed += text[at];
        at += 1;
        continue;
      }
      this.#held += match.key;
      this.#typed += 1;
      at += match.key.length;
      if (this.#typed === this.#keys.length)
        return { bytes: Buffer.from(passed, 'latin1'), isDetached: true };
    }
    return { bytes: Buffer.from(passed, 'latin1'), isDetached: false };
  }

  #matchAt(text: string, at: number): { key: string; given?: string } | null {
    const pattern = this.#keys[this.#typed]?.pattern;
    if (!pattern) return null;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return null;
    const modifiers = match.groups?.['modifiers'];
    if (modifiers !== undefined && ((Number(modifiers) - 1) & ~LOCKS) !== CTRL) return null;
    return { key: match[0] };
  }

  /** Another key than the next one: the held ones are the process's, and this may be the first one again. */
  #startOver(text: string, at: number): { key?: string; given: string } {
    const given = this.#held;
    this.#held = '';
    this.#typed = 0;
    return { given, ...this.#matchAt(text, at) };
  }
}

function keyOf(name: string): Key {
  const [, letter] = /^ctrl-([a-z@[\\\]^_])$/i.exec(name) ?? [];
  if (letter === undefined) {
    throw new UsageError(`--detach-keys: expected keys as ctrl-a or ctrl-p,ctrl-q, or none; not "${name}"`);
  }
  const byte = hex(letter.toUpperCase().charCodeAt(0) & 0x1f);
  const code = letter.toLowerCase().charCodeAt(0);
  // Programs may ask the terminal to spell keys out: kitty's way, and xterm's modifyOtherKeys. Not a key's release.
  const kitty = `\\x1b\\[${code}(?::\\d*)*;(?<modifiers>\\d+)(?::[12])?u`;
  const xterm = `\\x1b\\[27;5;${code}~`;
  return {
    name: `Ctrl-${letter.toUpperCase()}`,
    pattern: new RegExp(`\\x${byte}|${kitty}|${xterm}`, 'y'),
  };
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
