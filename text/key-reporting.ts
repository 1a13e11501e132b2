// Tracks key reporting requested by a program, in the page and in the gateway alike: kitty's keyboard
// protocol (CSI … u), which has a stack of flags per screen, and xterm's key resources, above all
// modifyOtherKeys.

export type KeyScreen = 'normal' | 'alternate';

/** Kind of request: a CSI sequence with this prefix and final letter; its parameters are passed separately. */
export interface KeyRequest {
  readonly prefix: '<' | '=' | '>';
  readonly final: 'u' | 'm' | 'n' | 'f';
}

/** Parts of xterm.js used here, in the page and in the gateway. */
interface RequestedTerminal {
  readonly buffer: { readonly active: { readonly type: KeyScreen } };
  readonly parser: {
    registerCsiHandler(
      id: { readonly prefix?: string; readonly intermediates?: string; readonly final: string },
      callback: (params: readonly (number | readonly number[])[]) => boolean,
    ): unknown;
    registerEscHandler(id: { readonly final: string }, callback: () => boolean): unknown;
  };
}

export const KEY_REQUESTS: readonly KeyRequest[] = [
  { prefix: '>', final: 'u' },
  { prefix: '<', final: 'u' },
  { prefix: '=', final: 'u' },
  { prefix: '>', final: 'm' },
  { prefix: '>', final: 'n' },
  { prefix: '>', final: 'f' },
];

/** Maximum depth of the flag stack; the oldest entries are dropped. */
const MOST_LEVELS = 16;
const ALL_FLAGS = 0b11111;
/** Highest xterm resource number, from modifyKeyboard (0) to modifySpecialKeys. */
const MOST_RESOURCE = 7;
const OTHER_KEYS = 4;

export function followKeyRequests(terminal: RequestedTerminal): KeyReporting {
  const keys = new KeyReporting();
  const { parser, buffer } = terminal;
  const reset = (): boolean => {
    keys.reset();
    return false;
  };
  for (const request of KEY_REQUESTS) {
    parser.registerCsiHandler(request, (params) => {
      const numbers = params.map((param) => (typeof param === 'number' ? param : 0));
      keys.take(request, numbers, buffer.active.type);
      return false;
    });
  }
  parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset);
  parser.registerEscHandler({ final: 'c' }, reset);
  return keys;
}

export class KeyReporting {
  /** Stack of flags per screen, never empty; the last entry applies. */
  readonly #levels: Record<KeyScreen, number[]> = { normal: [0], alternate: [0] };
  /** Resources that are set, such as `m4`, with the sequence that sets each again. */
  readonly #resources = new Map<string, { readonly value: number; readonly sequence: string }>();

  /**
   * Flags of kitty's protocol: 1 disambiguates keys, 2 reports event types, 4 alternatives, 8 all keys, 16
   * their text.
   */
  flags(screen: KeyScreen): number {
    return this.#levels[screen].at(-1) ?? 0;
  }

  /**
   * Level of modifyOtherKeys: 0 off, 1 reports keys that would otherwise be lost, 2 reports all keys whose
   * modifier would be lost.
   */
  get modifyOtherKeys(): number {
    return this.#resources.get(`m${OTHER_KEYS}`)?.value ?? 0;
  }

  /** True when keys are encoded as `CSI code ; modifiers u` instead of `CSI 27 ; modifiers ; code ~`. */
  get isShort(): boolean {
    return this.#resources.get(`f${OTHER_KEYS}`)?.value === 1;
  }

  /** Applies a request made while `screen` was shown. */
  take({ prefix, final }: KeyRequest, [first = 0, second]: readonly number[], screen: KeyScreen): void {
    if (final !== 'u') this.#setResource(final, first, second);
    else if (prefix === '>') this.#push(first & ALL_FLAGS, screen);
    else if (prefix === '<') this.#pop(Math.max(1, first), screen);
    else this.#change(first & ALL_FLAGS, second ?? 1, screen);
  }

  reset(): void {
    this.#levels.normal = [0];
    this.#levels.alternate = [0];
    this.#resources.clear();
  }

  /** Returns the sequence that sets this screen's flags on a fresh terminal that shows it. */
  flagsSequence(screen: KeyScreen): string {
    const [first, ...pushed] = this.#levels[screen];
    return `${first ? `\u001b[=${first}u` : ''}${pushed.map((flags) => `\u001b[>${flags}u`).join('')}`;
  }

  /**
   * Returns the sequence that, sent on the normal screen, sets the alternate screen's flags for when it is
   * entered again.
   */
  hiddenFlagsSequence(): string {
    const flags = this.flagsSequence('alternate');
    return flags && `\u001b[?47h${flags}\u001b[?47l`;
  }

  /** Returns the sequence that sets the resources, which both screens share. */
  resourcesSequence(): string {
    return Array.from(this.#resources.values(), ({ sequence }) => sequence).join('');
  }

  #push(flags: number, screen: KeyScreen): void {
    this.#levels[screen] = [...this.#levels[screen], flags].slice(-MOST_LEVELS);
  }

  #pop(count: number, screen: KeyScreen): void {
    const left = this.#levels[screen].slice(0, -count);
    this.#levels[screen] = left.length > 0 ? left : [0];
  }

  #change(flags: number, how: number, screen: KeyScreen): void {
    const before = this.flags(screen);
    const after = how === 2 ? before | flags : how === 3 ? before & ~flags : flags;
    this.#levels[screen] = [...this.#levels[screen].slice(0, -1), after];
  }

  #setResource(final: 'm' | 'n' | 'f', resource: number, value: number | undefined): void {
    if (resource > MOST_RESOURCE) return;
    const name = `${final === 'f' ? 'f' : 'm'}${resource}`;
    if (final === 'n') this.#resources.set(name, { value: 0, sequence: `\u001b[>${resource}n` });
    else if (value !== undefined) {
      this.#resources.set(name, { value, sequence: `\u001b[>${resource};${value}${final}` });
    } else if (resource > 0) this.#resources.delete(name);
    // A missing resource number, which xterm.js reports as 0, means all resources of the kind.
    else for (const each of this.#resources.keys()) if (each.startsWith(final)) this.#resources.delete(each);
  }
}
