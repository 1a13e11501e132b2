// What a terminal saves with its cursor (DECSC, SCOSC, modes 1048 and 1049) and restores: all of it, also what nobody has
// touched. xterm.js restores only the character sets that had been designated, no pending wrap, and the shape and colour
// of the present underline. The page and the gateway restore the same, so both have it from here.
import { internalsFor, type XtermBuffer, type XtermHandler, type XtermUnderline } from './xterm-internals.ts';

/** What is needed of an xterm.js, of the page's and of the gateway's. */
export interface SavingTerminal {
  readonly cols: number;
  readonly options: { convertEol?: boolean };
  readonly parser: {
    registerEscHandler(id: { readonly final: string }, callback: () => boolean): unknown;
  };
}

/** G0 to G3. */
const CHARSETS = 4;
/** Of a cell that selective erasing leaves alone (DECSCA), in `Attributes.bg`. */
const PROTECTED = 0x20000000;
const PLAIN: XtermUnderline = { underlineStyle: 0, underlineColor: 0 };
const NOTHING_SAVED = { savedGlevel: 0, savedOriginMode: false, savedWraparoundMode: true };
/** LS1R, LS2R and LS3R choose GR, which UTF-8 has no use for; xterm.js would take all characters from there. */
const RIGHT_SHIFTS = ['~', '}', '|'];

/** Once, before anything is written to it. */
export function restoreWholeCursor(terminal: SavingTerminal): void {
  const internals = internalsFor(terminal, 'cursor');
  if (!internals) return;
  const { _inputHandler: handler } = internals;
  const { saveCursor, restoreCursor, softReset, _processSGR0: resetPen } = handler;
  // A full reset makes new buffers, which have nothing saved.
  const underlines = new WeakMap<XtermBuffer, XtermUnderline>();

  Object.assign(handler, {
    saveCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      const { underlineStyle, underlineColor } = pen.extended;
      underlines.set(buffer, { underlineStyle, underlineColor });
      return saveCursor.apply(handler, args);
    },

    restoreCursor: (...args) => {
      const { _activeBuffer: buffer, _curAttrData: pen } = handler;
      // Those that were not designated then are ASCII.
      buffer.savedCharsets.length = CHARSETS;
      const isRestored = restoreCursor.apply(handler, args);
      // It has been moved into the last column, where the next character would take the place of the last one.
      if (buffer.savedX >= terminal.cols) buffer.x = terminal.cols;
      // The open link is no attribute, and goes on.
      pen.extended = Object.assign(pen.extended.clone(), underlines.get(buffer) ?? PLAIN);
      pen.updateExtended();
      return isRestored;
    },

    softReset: (...args) => {
      const { _activeBuffer: buffer } = handler;
      Object.assign(buffer, NOTHING_SAVED, { savedCharsets: [] });
      underlines.delete(buffer);
      return softReset.apply(handler, args);
    },

    _processSGR0: (pen) => {
      const protection = pen.bg & PROTECTED;
      resetPen.call(handler, pen);
      pen.bg |= protection;
    },
  } satisfies Partial<XtermHandler>);

  for (const final of RIGHT_SHIFTS) terminal.parser.registerEscHandler({ final }, () => true);

  // A full reset ends LNM, too.
  const { convertEol = false } = terminal.options;
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    terminal.options.convertEol = convertEol;
    return false;
  });
}
