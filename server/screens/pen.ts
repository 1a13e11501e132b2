// The colours and attributes that the next character gets, as the sequences that set them.

type Params = readonly (number | readonly number[])[];

/** What one attribute can be: what sets it, and what takes it away again. */
const ATTRIBUTES: readonly { readonly on: readonly number[]; readonly off: readonly number[] }[] = [
  { on: [1], off: [22] },
  { on: [2], off: [22] },
  { on: [3], off: [23] },
  { on: [4, 21], off: [24] },
  { on: [5, 6], off: [25] },
  { on: [7], off: [27] },
  { on: [8], off: [28] },
  { on: [9], off: [29] },
  { on: [53], off: [55] },
  { on: [38, ...range(30, 37), ...range(90, 97)], off: [39] },
  { on: [48, ...range(40, 47), ...range(100, 107)], off: [49] },
  { on: [58], off: [59] },
];

/** Both ends are in it. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Immutable; follows each SGR sequence (CSI … m). */
export class Pen {
  static readonly plain = new Pen(new Map());
  /** Attribute (its place in the table) → the parameter that set it. */
  readonly #set: ReadonlyMap<number, string>;

  private constructor(set: ReadonlyMap<number, string>) {
    this.#set = set;
  }

  /** The sequence that makes a terminal's pen this one, whatever it was. */
  get sequence(): string {
    return `\u001b[${['0', ...this.#set.values()].join(';')}m`;
  }

  /** `params` as a parser gives them: sub-parameters as a list after the one that they belong to. */
  after(params: Params): Pen {
    const set = new Map(this.#set);
    for (let at = 0; at < Math.max(1, params.length); at += 1) {
      const param = params[at] ?? 0;
      if (typeof param !== 'number') continue;
      const following = params[at + 1];
      const sub = Array.isArray(following) ? (following as readonly number[]) : null;
      const isColour = param === 38 || param === 48 || param === 58;
      const taken = sub || !isColour ? 0 : following === 2 ? 4 : following === 5 ? 2 : 0;
      const text = sub
        ? [param, ...sub.map((each) => (each < 0 ? '' : each))].join(':')
        : params.slice(at, at + 1 + taken).join(';');
      apply(set, param, param === 4 && sub?.[0] === 0 ? null : text);
      at += taken;
    }
    return new Pen(set);
  }
}

/** `text` null takes the attribute away. */
function apply(set: Map<number, string>, param: number, text: string | null): void {
  if (param === 0) set.clear();
  for (const [place, { on, off }] of ATTRIBUTES.entries()) {
    if (off.includes(param) || (on.includes(param) && text === null)) set.delete(place);
    else if (on.includes(param) && text !== null) {
      // In the order of their being set: what takes one away may take another away, too.
      set.delete(place);
      set.set(place, text);
    }
  }
}
