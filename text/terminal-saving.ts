// Saves and restores everything that belongs to the cursor (DECSC, SCOSC, modes 1048 and 1049). xterm.js
// restores only designated character sets, loses a pending wrap, keeps the current underline, and moves a
// saved row that has scrolled. Shared by the page and the gateway.
import { internalsFor, type XtermBuffer, type XtermHandler, type XtermUnderline } from './xterm-internals.ts';

/** Parts of xterm.js used here, in the page and in the gateway. */
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
/** Bit in `Attributes.bg` of a cell protected from selective erasing (DECSCA). */
const PROTECTED = 0x20000000;
type Underline = Pick<XtermUnderline, 'underlineStyle' | 'underlineColor'>;

const PLAIN: Underline = { underlineStyle: 0, underlineColor: 0 };
const NOTHING_SAVED = { savedGlevel: 0, savedOriginMode: false, savedWraparoundMode: true };
/**
 * LS1R, LS2R and LS3R select GR, which is meaningless in UTF-8; xterm.js would apply it to all characters.
 */
const RIGHT_SHIFTS = ['~', '}', '|'];

/** Screen row of each buffer's saved cursor, from 0. */
const rows = new WeakMap<object, number>();

/** Returns true if the buffer has a saved cursor; otherwise a restore moves the cursor to the first cell. */
export const hasSaved = (buffer: object): boolean => rows.has(buffer);

/** Returns the screen row, from 0, to which a restore moves the cursor of this buffer. */
export const savedRow = (buffer: object): number => rows.get(buffer) ?? 0;

/**
 * Replaces the saving and restoring of the cursor, and corrects SGR 0, right shifts and the full reset; call this
 * once, before anything is written to the terminal.
 */
export function restoreWholeCursor(terminal: SavingTerminal): void {
  const internals = internalsFor(terminal, 'cursor');
  if (!internals) return;
  const { _inputHandler: handler, _bufferService: service } = internals;
  const { saveCursor, restoreCursor, softReset, _processSGR0: resetPen } = handler;
  // The key is the buffer, because a full reset creates new buffers without a saved cursor.
  const underlines = new WeakMap<XtermBuffer, Underline>();

  Object.assign(handler, {
    saveCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      // An open link overrides the underline that was set, which a copy without the link's id still returns.
      const { underlineStyle, underlineColor } = Object.assign(pen.extended.clone(), { urlId: 0 });
      underlines.set(buffer, { underlineStyle, underlineColor });
      rows.set(buffer, buffer.y);
      return saveCursor.apply(handler, args);
    },

    restoreCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      // Character sets not designated at the time of saving are ASCII.
      buffer.savedCharsets.length = CHARSETS;
      buffer.savedY = buffer.ybase + savedRow(buffer);
      const isRestored = restoreCursor.apply(handler, args);
      // A pending wrap: xterm.js has put the cursor into the last column, where the next character would overwrite
      // the one there.
      if (buffer.savedX >= terminal.cols) buffer.x = terminal.cols;
      // The open link is not an attribute, so it stays open.
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

  // Resizing moves lines to other rows, and a saved cursor must move along.
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

  // A full reset also ends newline mode (LNM).
  const { convertEol = false } = terminal.options;
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    terminal.options.convertEol = convertEol;
    return false;
  });
}
