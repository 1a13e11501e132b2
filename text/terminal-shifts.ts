// SS2 and SS3, which xterm.js does not know: the next character is taken from the set G2 or G3, as lines and symbols of
// terminfo's older descriptions are.
import { internalsFor } from './xterm-internals.ts';

/** The parts of an xterm.js that this needs, of the page's and of the gateway's. */
export interface ShiftedTerminal {
  readonly parser: {
    registerEscHandler(id: { readonly final: string }, callback: () => boolean): unknown;
  };
}

/** Call once for each terminal, before anything is written to it. */
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
