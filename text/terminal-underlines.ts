// The colour of underlines: after SGR 59 it is that of the text again. xterm.js draws it white from then on, and nothing
// tells such an underline from one that a program has made white.

import { internalsFor } from './xterm-internals.ts';

const COLOUR = 'underlineColor';
/** The value that xterm.js sets, and the one that is there at first. */
const RESET = -1;
const AT_FIRST = 0;

/** Call once for each terminal; the first call changes it for all. */
export function resetUnderlineColour(terminal: object): void {
  const internals = internalsFor(terminal, 'underlines');
  if (!internals) return;
  const { _inputHandler: handler } = internals;
  const { _curAttrData: pen } = handler;
  const copy = pen.extended.clone();
  copy.underlineColor = RESET;
  if (copy.underlineColor === AT_FIRST) return;
  const kind = Object.getPrototypeOf(copy) as typeof copy;
  const property = Object.getOwnPropertyDescriptor(kind, COLOUR);
  Object.defineProperty(kind, COLOUR, {
    ...property,
    set(this: typeof copy, value: number) {
      property?.set?.call(this, value === RESET ? AT_FIRST : value);
    },
  });
}
