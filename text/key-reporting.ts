// Key reporting that a program requests: the keyboard protocol of kitty (CSI … u), a stack of flags for each screen,
// and the key resources of xterm (modifyOtherKeys above all). Page and gateway track it alike, from the output alone.

export type KeyScreen = 'normal' | 'alternate';

/** One such request: CSI, the prefix, parameters, the final letter. */
export interface KeyRequest {
  readonly prefix: '<' | '=' | '>';
  readonly final: 'u' | 'm' | 'n' | 'f';
}

/** Members of an xterm.js that this file needs, in the page and in the gateway. */
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

/** Flags that are set on one another; the oldest are forgotten. */
const MOST_LEVELS = 16;
const ALL_FLAGS = 0b11111;
/** Highest resource of xterm: modifyKeyboard (0) to modifySpecialKeys. */
const MOST_RESOURCE = 7;
const OTHER_KEYS = 4;

/** All that a terminal is asked for of its keys. */
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
  /** The last one counts; the first one is there without being pushed. */
  readonly #levels: Record<KeyScreen, number[]> = { normal: [0], alternate: [0] };
  /** `m4` → what sets that resource again. */
  readonly #resources = new Map<string, { readonly value: number; readonly sequence: string }>();

  /**
   * Flags of kitty's protocol: 1 disambiguates keys, 2 reports event types, 4 alternatives, 8 all keys, 16 their text.
   */
  flags(screen: KeyScreen): number {
    return this.#levels[screen].at(-1) ?? 0;
  }

  /** 0: keys are what they always were; 1: those that would be lost are spelt out; 2: all with a modifier. */
  get modifyOtherKeys(): number {
    return this.#resources.get(`m${OTHER_KEYS}`)?.value ?? 0;
  }

  /** True when keys are encoded as `CSI code ; modifiers u` instead of `CSI 27 ; modifiers ; code ~`. */
  get isShort(): boolean {
    return this.#resources.get(`f${OTHER_KEYS}`)?.value === 1;
  }

  /** Applies a request that the program made while that screen was shown. */
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

  /** Sets a terminal that shows that screen, and has nothing set for it, to the flags of that screen. */
  flagsSequence(screen: KeyScreen): string {
    const [first, ...pushed] = this.#levels[screen];
    return `${first ? `\u001b[=${first}u` : ''}${pushed.map((flags) => `\u001b[>${flags}u`).join('')}`;
  }

  /**
   * Returns the sequence that, on the normal screen, sets the flags of the alternate one, which apply when that is
   * entered again.
   */
  hiddenFlagsSequence(): string {
    const flags = this.flagsSequence('alternate');
    return flags && `\u001b[?47h${flags}\u001b[?47l`;
  }

  /** Sets the resources, which are those of both screens. */
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
    // Without a resource the request applies to all of them.
    else for (const each of this.#resources.keys()) if (each.startsWith(final)) this.#resources.delete(each);
  }
}
