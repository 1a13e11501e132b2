// Text styles: pure functions that apply SGR parameters to a style.

/** Palette index, or `#rrggbb`. */
export type Colour = number | string;

export interface TextStyle {
  readonly colour: Colour | null;
  readonly background: Colour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
  /** True for an escape that the page shows in place of an invisible or reordering character. */
  readonly isEscape: boolean;
  /** Target of a hyperlink (OSC 8) as printed by the program; SGR does not change it. */
  readonly link: string | null;
}

export const PLAIN_STYLE: TextStyle = {
  colour: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  isEscape: false,
  link: null,
};

export const ESCAPE_STYLE: TextStyle = { ...PLAIN_STYLE, isEscape: true };

const { link: _, ...RESET } = PLAIN_STYLE;

const CHANGES: { readonly [code: number]: Partial<TextStyle> } = {
  0: RESET,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { colour: null },
  49: { background: null },
};

/** Returns the style after `ESC [ params m`. Concealed text (8) stays visible, since a log hides nothing. */
export function styleAfter(style: TextStyle, params: string): TextStyle {
  const codes = params.split(';');
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const [first = '', ...sub] = (codes[at] ?? '').split(':');
    const code = Number(first);
    if (code === 38 || code === 48) {
      const isInOne = sub.length > 0;
      const { colour, taken } = extendedColour(isInOne ? sub : codes.slice(at + 1), isInOne);
      if (!isInOne) at += taken;
      if (colour !== null) next = { ...next, [code === 38 ? 'colour' : 'background']: colour };
    } else if (code === 4 && sub[0] === '0') {
      next = { ...next, underline: false };
    } else {
      next = { ...next, ...(CHANGES[code] ?? paletteChange(code)) };
    }
  }
  return usual(next);
}

/** Returns the style after `OSC 8`; null ends the link. */
export const withLink = (style: TextStyle, link: string | null): TextStyle => usual({ ...style, link });

function paletteChange(code: number): Partial<TextStyle> {
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { colour: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { background: code - 100 + 8 };
  return {};
}

/** Parses the parameters after 38 or 48: `5;n` or `2;r;g;b`; the colon form may have a colour space before r. */
function extendedColour(
  rest: readonly string[],
  hasColons: boolean,
): { colour: Colour | null; taken: number } {
  const byte = (text: string | undefined): number =>
    Math.min(255, Math.max(0, Math.trunc(Number(text)) || 0));
  if (rest[0] === '5') return { colour: byte(rest[1]), taken: 2 };
  if (rest[0] !== '2') return { colour: null, taken: 1 };
  const parts = hasColons && rest.length > 4 ? rest.slice(2, 5) : rest.slice(1, 4);
  const hex = [0, 1, 2].map((at) => byte(parts[at]).toString(16).padStart(2, '0')).join('');
  return { colour: `#${hex}`, taken: 4 };
}

/** Returns the style or, for a plain one, the shared `PLAIN_STYLE`. */
const usual = (style: TextStyle): TextStyle =>
  (Object.keys(PLAIN_STYLE) as (keyof TextStyle)[]).every((name) => style[name] === PLAIN_STYLE[name])
    ? PLAIN_STYLE
    : style;
