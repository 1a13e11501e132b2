// Makes SGR 59 reset the underline colour to the text's colour; xterm.js would draw the underline in white.

import { internalsFor } from './xterm-internals.ts';

const COLOUR = 'underlineColor';
/** Colour values: the one that xterm.js sets for SGR 59, and the initial one. */
const RESET = -1;
const AT_FIRST = 0;

/**
 * Makes SGR 59 reset the colour by patching a class that all terminals of a build share; call this for each
 * terminal.
 */
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
