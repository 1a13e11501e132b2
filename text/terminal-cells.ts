// Measures printed characters in xterm.js by this project's table, and limits the contents of a cell.
import { UNICODE_VERSION } from './character-table.ts';
import { internalsFor, type XtermLine } from './xterm-internals.ts';
import { cellsOf, cellsWith, isInvisible, joins, NOTHING_BEFORE, stateAfter } from './characters.ts';

/**
 * Maximum number of UTF-16 units per cell; the longest emoji has 15. Each further unit would slow down every
 * redraw of the cell.
 */
const CELL_CHARS = 64;

export interface MeasuredTerminal {
  readonly unicode: {
    activeVersion: string;
    register(provider: {
      readonly version: string;
      wcwidth(codePoint: number): 0 | 1 | 2;
      charProperties(codePoint: number, preceding: number): number;
    }): void;
  };
}

/**
 * Packs a character's properties as xterm.js does: the state in 24 bits, the width in two, and one bit for
 * whether the character joins the previous cell.
 */
const packed = (state: number, cells: number, isJoined: boolean): number =>
  (state << 3) | (cells << 1) | (isJoined ? 1 : 0);
const stateOf = (properties: number): number => properties >> 3;
const cellsIn = (properties: number): number => (properties >> 1) & 3;

const SPACE = 0x20;
/** xterm.js drops soft hyphens; other terminals show each as a hyphen in one cell. */
const SOFT_HYPHEN = 0xad;
const HYPHEN = 0x2010;
const DELETE = 0x7f;
/** Precomputed properties of ASCII characters, which make up nearly all output. */
const ASCII = Int32Array.from({ length: DELETE }, (_, code) =>
  packed(stateAfter(NOTHING_BEFORE, code), 1, false),
);
const PREPENDED = stateAfter(NOTHING_BEFORE, 0x600);

const PROVIDER = {
  version: UNICODE_VERSION,
  wcwidth: (codePoint: number) => cellsOf(codePoint) as 0 | 1 | 2,
  charProperties(codePoint: number, preceding: number): number {
    const before = stateOf(preceding);
    if (codePoint < DELETE && codePoint >= SPACE && before !== PREPENDED) return ASCII[codePoint] ?? 0;
    const cells = cellsOf(codePoint);
    const state = stateAfter(before, codePoint);
    if (joins(before, codePoint))
      return packed(state, cellsWith(cellsIn(preceding), before, codePoint), true);
    if (cells > 0) return packed(state, cells, false);
    // A character without a cell goes into the previous cell even if it does not join the cluster; at the start,
    // there is no cluster that a later character could join.
    return packed(before === NOTHING_BEFORE ? NOTHING_BEFORE : state, cellsIn(preceding), true);
  },
};

/** Line prototypes that are patched already: one for the page's xterm.js, one for the gateway's. */
const bounded = new WeakSet<XtermLine>();

/** Applies this project's widths and cell limit to a terminal; call this once, before anything is written to it. */
export function measureCells(terminal: MeasuredTerminal): void {
  terminal.unicode.register(PROVIDER);
  terminal.unicode.activeVersion = UNICODE_VERSION;
  const internals = internalsFor(terminal, 'cells');
  if (!internals) return;
  const { _bufferService: buffers, _inputHandler: handler, coreService: service } = internals;
  boundCells(Reflect.getPrototypeOf(buffers.buffer.lines.get(0)) as XtermLine);
  const { _parser: parser } = handler;
  const print = handler.print.bind(handler);
  handler.print = (data, start, end) => {
    for (let at = start; at < end; at += 1) if (data[at] === SOFT_HYPHEN) data[at] = HYPHEN;
    let from = start;
    // A character without a cell is dropped in the first column; xterm.js would put it into a new cell.
    while (from < end && buffers.buffer.x === 0 && cellsOf(data[from] ?? SPACE) === 0) from += 1;
    if (service.decPrivateModes.wraparound) return print(data, from, end);
    for (; from < end; from += 1) {
      const codePoint = data[from] ?? SPACE;
      const { precedingJoinState: preceding } = parser;
      const isAtEnd = buffers.buffer.x >= buffers.cols - 1;
      print(data, from, from + 1);
      // xterm.js omits a wide character that neither fits nor wraps; marks after it would widen the character before.
      if (isAtEnd && cellsOf(codePoint) === 2 && !joins(stateOf(preceding), codePoint))
        parser.precedingJoinState = NOTHING_BEFORE;
    }
  };
}

function boundCells(line: XtermLine): void {
  if (bounded.has(line)) return;
  bounded.add(line);
  const add = Reflect.get<XtermLine, 'addCodepointToCell'>(line, 'addCodepointToCell');
  line.addCodepointToCell = function (this: XtermLine, index, codePoint, cells) {
    const held = this.getString(index);
    const isLeftOut = held.length >= CELL_CHARS || isInvisible(codePoint);
    if (isLeftOut && cells <= this.getWidth(index)) return;
    // A mark alone in a cell would move when the screen is printed again, so it gets a space.
    if (held === '') add.call(this, index, SPACE, 1);
    add.call(this, index, codePoint, cells);
  };
}
