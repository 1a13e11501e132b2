// Colours and attributes of the next character, and the sequences that set them.

type Params = readonly (number | readonly number[])[];

/** Parameters that set and reset each attribute. */
const ATTRIBUTES: readonly { readonly on: readonly number[]; readonly off: readonly number[] }[] = [
  { on: [1], off: [22, 221] },
  { on: [2], off: [22, 222] },
  { on: [3], off: [23] },
  { on: [4, 21], off: [24] },
  { on: [5], off: [25] },
  { on: [7], off: [27] },
  { on: [8], off: [28] },
  { on: [9], off: [29] },
  { on: [53], off: [55] },
  { on: [38, ...range(30, 37), ...range(90, 97)], off: [39] },
  { on: [48, ...range(40, 47), ...range(100, 107)], off: [49] },
  { on: [58], off: [59] },
];

/** Returns the numbers from `from` to `to`, inclusive. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** An immutable pen; `after` returns the pen after an SGR sequence (CSI … m). */
export class Pen {
  static readonly plain = new Pen(new Map());
  /** Attribute (its index in the table) → the parameter that set it. */
  readonly #set: ReadonlyMap<number, string>;

  private constructor(set: ReadonlyMap<number, string>) {
    this.#set = set;
  }

  /** Sequence that sets a terminal's pen to this one, whatever it was. */
  get sequence(): string {
    return `\u001b[${['0', ...this.#set.values()].join(';')}m`;
  }

  /** Returns the pen after `params`, as from a parser: sub-parameters as a list after their parameter. */
  after(params: Params): Pen {
    const set = new Map(this.#set);
    const items = itemsOf(params);
    for (let at = 0; at < items.length; at += 1) {
      const { number, parts } = items[at] ?? PLAIN;
      if (COLOURS.has(number)) {
        const { text, taken } = colourOf(items.slice(at));
        if (text !== null) apply(set, number, text);
        at += taken;
      } else apply(set, number, number === 4 && parts[0] === 0 ? null : [number, ...parts].join(':'));
    }
    return new Pen(set);
  }
}

interface Item {
  readonly number: number;
  readonly parts: readonly (number | '')[];
}

const PLAIN: Item = { number: 0, parts: [] };

function itemsOf(params: Params): readonly Item[] {
  const items: Item[] = [];
  for (const param of params) {
    if (typeof param === 'number') items.push({ number: param, parts: [] });
    else {
      const { number } = items.pop() ?? PLAIN;
      items.push({ number, parts: param.map((part) => (part < 0 ? '' : part)) });
    }
  }
  return items.length > 0 ? items : [PLAIN];
}

/** Parameters for the colours of text, background and underline. */
const COLOURS: ReadonlySet<number> = new Set([38, 48, 58]);
/** Kind of a colour (palette, RGB) → the number of its values. */
const KINDS: ReadonlyMap<number, number> = new Map([
  [5, 1],
  [2, 3],
]);
/** Number of items that xterm.js skips after a colour of an unknown kind, and without a kind. */
const SKIPPED = { unknown: 5, none: 6 } as const;

/** Returns the colour at the beginning of the items, or null, and the number of the other items that belong to it. */
function colourOf([first = PLAIN, ...rest]: readonly Item[]): {
  readonly text: string | null;
  readonly taken: number;
} {
  const { number, parts } = first;
  if (parts.length > 0) {
    const isColour = KINDS.has(Number(parts[0]));
    return { text: isColour ? [number, ...parts].join(':') : null, taken: 0 };
  }
  const kind = rest[0]?.number ?? 0;
  const count = KINDS.get(kind);
  const most = count === undefined ? (kind === 0 ? SKIPPED.none : SKIPPED.unknown) : 1 + count;
  // An item with sub-parameters is the last one of the colour.
  const lastAt = rest.findIndex((item) => item.parts.length > 0);
  const taken = Math.min(most, lastAt < 0 ? rest.length : lastAt + 1);
  if (count === undefined) return { text: null, taken };
  const numbers = rest.slice(0, taken).flatMap((item) => [item.number, ...item.parts.map(Number)]);
  const values = Array.from({ length: count }, (_, at) => numbers[1 + at] ?? 0);
  return { text: [number, kind, ...values].join(';'), taken };
}

/** Applies one parameter to `set`. `text` is the parameter in full; null resets the attribute that it sets. */
function apply(set: Map<number, string>, param: number, text: string | null): void {
  if (param === 0) set.clear();
  for (const [place, { on, off }] of ATTRIBUTES.entries()) {
    if (off.includes(param) || (on.includes(param) && text === null)) set.delete(place);
    else if (on.includes(param) && text !== null) {
      // The attribute is deleted first, so that `sequence` sets the attributes in the order in which the program did.
      set.delete(place);
      set.set(place, text);
    }
  }
}
