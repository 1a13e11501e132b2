// Grapheme clusters and their width in cells, according to Unicode Standard Annex 29.
import { CHARACTER_RUNS } from './character-table.ts';

/**
 * Class that determines whether a character joins its neighbours: `Grapheme_Cluster_Break`, with pictographs
 * and Indic conjuncts as separate classes.
 */
const Join = {
  control: 1,
  extend: 2,
  joiner: 3,
  prepend: 4,
  spacingMark: 5,
  flagLetter: 6,
  hangulL: 7,
  hangulV: 8,
  hangulT: 9,
  hangulLV: 10,
  hangulLVT: 11,
  pictograph: 12,
  consonant: 13,
  conjunctExtend: 14,
  conjunctLinker: 15,
} as const;

/** Bits of a class; the lowest four are `Join`. */
const JOIN_BITS = 0xf;
const CELLS_SHIFT = 4;
const CELLS_BITS = 3;
/** An emoji of one cell, which a following U+FE0F widens to two. */
const WIDENS = 1 << 6;
const PLAIN = 1 << CELLS_SHIFT;

/** Bits of a state in addition to `Join` of the last character; they describe how the open cluster ends. */
const IS_OPEN = 1 << 4;
const AFTER_PICTOGRAPH = 1 << 5;
const ODD_FLAG_LETTERS = 1 << 6;
const AFTER_CONSONANT = 1 << 7;
const AFTER_LINKER = 1 << 8;
const AFTER_WIDENING = 1 << 9;

/** State at the start of a line. */
export const NOTHING_BEFORE = 0;
const EMOJI_STYLE = 0xfe0f;
/** Maximum width of a cluster, regardless of how many characters it has. */
const MOST_CELLS = 2;

/** End of the first part of the table; planes 4 to 13 are empty, and planes 15 and 16 are for private use. */
const PLANES_END = 0x40000;
const TAGS_FROM = 0xe0000;
const TAGS_END = 0xe1000;
const CLASSES = decoded();

function decoded(): Uint8Array {
  const classes = new Uint8Array(PLANES_END + TAGS_END - TAGS_FROM).fill(PLAIN);
  let from = 0;
  for (const run of CHARACTER_RUNS.split(' ')) {
    const [length = '', kind = ''] = run.split(',');
    const end = from + (length === '' ? 1 : parseInt(length, 36));
    const value = parseInt(kind, 36);
    if (from < PLANES_END) classes.fill(value, from, Math.min(end, PLANES_END));
    if (end > TAGS_FROM) classes.fill(value, placeOf(Math.max(from, TAGS_FROM)), placeOf(end));
    from = end;
  }
  return classes;
}

function placeOf(codePoint: number): number {
  return codePoint - TAGS_FROM + PLANES_END;
}

function classOf(codePoint: number): number {
  if (codePoint < PLANES_END) return CLASSES[codePoint] ?? PLAIN;
  return codePoint >= TAGS_FROM && codePoint < TAGS_END ? (CLASSES[placeOf(codePoint)] ?? PLAIN) : PLAIN;
}

/** Returns the width of a single character: 0, 1 or 2 cells. */
export const cellsOf = (codePoint: number): number => (classOf(codePoint) >> CELLS_SHIFT) & CELLS_BITS;

/** Returns true for control and format characters, which are invisible and end a cluster. */
export const isInvisible = (codePoint: number): boolean =>
  (classOf(codePoint) & JOIN_BITS) === Join.control && cellsOf(codePoint) === 0;

/** Returns true when a character joins the cluster before it. */
export function joins(state: number, codePoint: number): boolean {
  const last = state & JOIN_BITS;
  const next = classOf(codePoint) & JOIN_BITS;
  if (state === NOTHING_BEFORE || last === Join.control || next === Join.control) return false;
  if (last === Join.prepend) return true;
  switch (next) {
    case Join.extend:
    case Join.joiner:
    case Join.spacingMark:
    case Join.conjunctExtend:
    case Join.conjunctLinker:
      return true;
    case Join.hangulL:
    case Join.hangulLV:
    case Join.hangulLVT:
      return last === Join.hangulL;
    case Join.hangulV:
      return last === Join.hangulL || last === Join.hangulV || last === Join.hangulLV;
    case Join.hangulT:
      return last >= Join.hangulV && last <= Join.hangulLVT;
    case Join.pictograph:
      return last === Join.joiner && (state & AFTER_PICTOGRAPH) !== 0;
    case Join.flagLetter:
      return (state & ODD_FLAG_LETTERS) !== 0;
    case Join.consonant:
      return (state & AFTER_LINKER) !== 0;
    default:
      return false;
  }
}

/** Returns the state after a character; it fits in 10 bits. */
export function stateAfter(state: number, codePoint: number): number {
  const kind = classOf(codePoint);
  const next = kind & JOIN_BITS;
  const isExtending = next === Join.extend || next === Join.conjunctExtend || next === Join.conjunctLinker;
  const isConjunct = next >= Join.conjunctExtend || next === Join.joiner;
  let after = IS_OPEN | next;
  if ((kind & WIDENS) !== 0) after |= AFTER_WIDENING;
  if (next === Join.pictograph) after |= AFTER_PICTOGRAPH;
  else if (isExtending || next === Join.joiner) after |= state & AFTER_PICTOGRAPH;
  if (next === Join.flagLetter && (state & ODD_FLAG_LETTERS) === 0) after |= ODD_FLAG_LETTERS;
  if (next === Join.consonant) after |= AFTER_CONSONANT;
  else if (isConjunct) after |= state & (AFTER_CONSONANT | AFTER_LINKER);
  if (next === Join.conjunctLinker && (state & AFTER_CONSONANT) !== 0) after |= AFTER_LINKER;
  return after;
}

/** Returns the width of a cluster after a character has joined it; `cells` is its width before. */
export function cellsWith(cells: number, state: number, codePoint: number): number {
  if (codePoint === EMOJI_STYLE && (state & AFTER_WIDENING) !== 0) return MOST_CELLS;
  return Math.min(MOST_CELLS, cells + cellsOf(codePoint));
}

/** Returns the width of the whole text in cells; control characters have a width of 0. */
export function textCells(text: string): number {
  let [total, cells, state] = [0, 0, NOTHING_BEFORE];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (joins(state, codePoint)) cells = cellsWith(cells, state, codePoint);
    else if (cellsOf(codePoint) > 0) {
      total += cells;
      cells = cellsOf(codePoint);
    }
    // Any other character has no cell and belongs to the previous cluster, which a later character may widen.
    state = stateAfter(state, codePoint);
  }
  return total + cells;
}

const LAST_CONTROL = 0x9f;
/** Returns true for characters without a cell, except controls, which may move the cursor. */
const isWithoutCell = (codePoint: number): boolean => codePoint > LAST_CONTROL && cellsOf(codePoint) === 0;

/**
 * Returns the index at which the last cluster of a text starts; for an empty text, 0. Characters without a
 * cell belong to the previous cluster.
 */
export function lastClusterStart(text: string): number {
  let [start, at, state] = [text.length, 0, NOTHING_BEFORE];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const isPartOfLast = joins(state, codePoint) || (isWithoutCell(codePoint) && start < at);
    if (!isPartOfLast) start = at;
    state = stateAfter(state, codePoint);
    at += character.length;
  }
  return start;
}

/** Returns true when the first character of `text` would join the last cluster of `before`. */
export function joinsText(before: string, text: string): boolean {
  let state: number = NOTHING_BEFORE;
  for (const character of before) state = stateAfter(state, character.codePointAt(0) ?? 0);
  return joins(state, text.codePointAt(0) ?? 0);
}
