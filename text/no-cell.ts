// Regular expression for characters that occupy no cell or look blank: people read the letters around one as adjacent.
import { cellsOf } from './characters.ts';

/** Characters that look blank, whatever their width: soft hyphen, Hangul fillers, the Braille pattern without dots. */
const BLANK = [0xad, 0x115f, 0x1160, 0x2800, 0x3164, 0xffa0];

/** Code points after the controls, without surrogates; planes 2 to 13 have no such characters. */
const RANGES = [
  [0xa0, 0xd7ff],
  [0xe000, 0x1ffff],
] as const;
/** Tags and selectors, the only contents of plane 14. */
const TAGS = String.raw`[\udb40-\udb43][\udc00-\udfff]|\u00f3\u00a0[\u0080-\u00bf]{2}|\u00f3(?:\u00a0[\u0080-\u00bf]?)?$`;

/**
 * Returns the expression's source. It also matches characters in output decoded as Latin-1, one character per
 * UTF-8 byte, where the last bytes may be missing at the end of the text.
 */
export function noCellSource(): string {
  const codes = [...BLANK];
  for (const [first, last] of RANGES)
    for (let code = first; code <= last; code += 1) if (cellsOf(code) === 0) codes.push(code);
  const texts = codes.map((code) => unitsOf(String.fromCodePoint(code)));
  const bytes = codes.map((code) => bytesOf(code));
  const begun = bytes.flatMap((all) => all.slice(1).map((_, index) => all.slice(0, index + 1)));
  return [sourceOf(texts), sourceOf(bytes), sourceOf(begun, '$'), TAGS].join('|');
}

const unitsOf = (text: string): number[] => text.split('').map((unit) => unit.charCodeAt(0));

function bytesOf(code: number): number[] {
  const rest = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x800) return [0xc0 | (code >> 6), rest(0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), rest(6), rest(0)];
  return [0xf0 | (code >> 18), rest(12), rest(6), rest(0)];
}

/** Returns the source for sequences of units, each followed by `end`. */
function sourceOf(sequences: readonly (readonly number[])[], end = ''): string {
  const rests = new Map<number, (readonly number[])[]>();
  for (const [first, ...rest] of sequences) {
    if (first === undefined) continue;
    const known = rests.get(first) ?? [];
    rests.set(first, known);
    known.push(rest);
  }
  const firsts = new Map<string, number[]>();
  for (const [first, all] of rests) {
    const more = all.filter((rest) => rest.length > 0);
    const isWhole = more.length < all.length;
    const source =
      more.length === 0 ? end : isWhole ? `(?:${end}|${sourceOf(more, end)})` : sourceOf(more, end);
    const alike = firsts.get(source) ?? [];
    firsts.set(source, alike);
    alike.push(first);
  }
  return `(?:${[...firsts].map(([rest, units]) => classOf(units) + rest).join('|')})`;
}

function classOf(units: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const unit of units.toSorted((one, other) => one - other)) {
    const open = ranges.at(-1);
    if (open && unit <= open.last + 1) open.last = unit;
    else ranges.push({ first: unit, last: unit });
  }
  return `[${ranges.map(({ first, last }) => `${escaped(first)}-${escaped(last)}`).join('')}]`;
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
