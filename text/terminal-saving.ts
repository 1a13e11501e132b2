// State that a terminal saves with its cursor (DECSC, SCOSC, modes 1048 and 1049) and restores in full, including
// values that were never set. xterm.js restores only the character sets that had been designated, no pending wrap, the
// shape and colour of the present underline, and a row that has scrolled away with its line. The page and the gateway
// restore alike, so both use this file.
import { internalsFor, type XtermBuffer, type XtermHandler, type XtermUnderline } from './xterm-internals.ts';

/** Members of an xterm.js that this file needs, in the page and in the gateway. */
export interface SavingTerminal {
  readonly cols: number;
  readonly rows: number;
  readonly options: { convertEol?: boolean };
  readonly parser: {
    registerEscHandler(id: { readonly final: string }, callback: () => boolean): unknown;
  };
}

/** G0 to G3. */
const CHARSETS = 4;
/** Bit in `Attributes.bg` of a cell that selective erasing leaves alone (DECSCA). */
const PROTECTED = 0x20000000;
type Underline = Pick<XtermUnderline, 'underlineStyle' | 'underlineColor'>;

const PLAIN: Underline = { underlineStyle: 0, underlineColor: 0 };
const NOTHING_SAVED = { savedGlevel: 0, savedOriginMode: false, savedWraparoundMode: true };
/** LS1R, LS2R and LS3R choose GR, which UTF-8 has no use for; xterm.js would take all characters from there. */
const RIGHT_SHIFTS = ['~', '}', '|'];

/** The row of the screen, from 0, of each saved cursor. */
const rows = new WeakMap<object, number>();

/** The row to which a saved cursor of this buffer returns, from 0. */
export const savedRow = (buffer: object): number => rows.get(buffer) ?? 0;

/** Call once, before anything is written to the terminal. */
export function restoreWholeCursor(terminal: SavingTerminal): void {
  const internals = internalsFor(terminal, 'cursor');
  if (!internals) return;
  const { _inputHandler: handler, _bufferService: service } = internals;
  const { saveCursor, restoreCursor, softReset, _processSGR0: resetPen } = handler;
  // A full reset makes new buffers, which have nothing saved.
  const underlines = new WeakMap<XtermBuffer, Underline>();

  Object.assign(handler, {
    saveCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      const { underlineStyle, underlineColor } = pen.extended;
      underlines.set(buffer, { underlineStyle, underlineColor });
      rows.set(buffer, buffer.y);
      return saveCursor.apply(handler, args);
    },

    restoreCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      // Character sets that were not designated then are ASCII.
      buffer.savedCharsets.length = CHARSETS;
      buffer.savedY = buffer.ybase + savedRow(buffer);
      const isRestored = restoreCursor.apply(handler, args);
      // xterm.js moved the cursor into the last column, where the next character would replace the last one.
      if (buffer.savedX >= terminal.cols) buffer.x = terminal.cols;
      // The open link is no attribute, and stays open.
      pen.extended = Object.assign(pen.extended.clone(), underlines.get(buffer) ?? PLAIN);
      pen.updateExtended();
      return isRestored;
    },

    softReset: (...args) => {
      const { _activeBuffer: buffer } = handler;
      Object.assign(buffer, NOTHING_SAVED, { savedCharsets: [] });
      underlines.delete(buffer);
      rows.delete(buffer);
      return softReset.apply(handler, args);
    },

    _processSGR0: (pen) => {
      const protection = pen.bg & PROTECTED;
      resetPen.call(handler, pen);
      pen.bg |= protection;
    },
  } satisfies Partial<XtermHandler>);

  // A new size moves lines to other rows, and a saved cursor with its line.
  const resize = service.resize.bind(service);
  service.resize = (...size) => {
    const both = [service.buffers.normal, service.buffers.alt];
    for (const buffer of both) buffer.savedY = buffer.ybase + savedRow(buffer);
    resize(...size);
    for (const buffer of both)
      if (rows.has(buffer))
        rows.set(buffer, Math.max(0, Math.min(buffer.savedY - buffer.ybase, terminal.rows - 1)));
  };

  for (const final of RIGHT_SHIFTS) terminal.parser.registerEscHandler({ final }, () => true);

  // A full reset ends LNM, too.
  const { convertEol = false } = terminal.options;
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    terminal.options.convertEol = convertEol;
    return false;
  });
}
