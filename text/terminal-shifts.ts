// Implements SS2 and SS3, which xterm.js lacks: the next character is taken from set G2 or G3. Older terminfo
// entries use this for lines and symbols.
import { internalsFor } from './xterm-internals.ts';

/** Parts of xterm.js used here, in the page and in the gateway. */
export interface ShiftedTerminal {
  readonly parser: {
    registerEscHandler(id: { readonly final: string }, callback: () => boolean): unknown;
  };
}

/** Adds SS2 and SS3 to a terminal; call this once, before anything is written to it. */
export function shiftOnce(terminal: ShiftedTerminal): void {
  const internals = internalsFor(terminal, 'shifts');
  if (!internals) return;
  const { _inputHandler: handler, _charsetService: charsets } = internals;
  let next: number | null = null;
  const shift = (final: string, level: number | null, isOurs: boolean): void => {
    terminal.parser.registerEscHandler({ final }, () => {
      next = level;
      return isOurs;
    });
  };
  shift('N', 2, true);
  shift('O', 3, true);
  shift('c', null, false);
  const print = handler.print.bind(handler);
  handler.print = (data, start, end) => {
    if (next === null) return print(data, start, end);
    const { glevel } = charsets;
    charsets.setgLevel(next);
    next = null;
    print(data, start, start + 1);
    charsets.setgLevel(glevel);
    if (start + 1 < end) print(data, start + 1, end);
  };
}
