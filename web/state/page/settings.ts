// Appearance and sound of terminals in this browser: choices, bounds and defaults.

export const CURSORS = ['block', 'bar', 'underline'] as const;
export const BELLS = ['off', 'visual', 'sound'] as const;

export const FONT_SIZE = { least: 8, most: 32 } as const;
/** Scrollback lines. At the maximum, a terminal of typical width takes about 60 MB. */
export const SCROLLBACK = { least: 0, most: 50_000 } as const;
const LONGEST_FONT = 100;

export interface Settings {
  /** Name of an installed font; empty for the bundled one. */
  readonly fontFamily: string;
  /** Font size in CSS pixels. */
  readonly fontSize: number;
  readonly scrollback: number;
  readonly cursorStyle: (typeof CURSORS)[number];
  readonly cursorBlink: boolean;
  readonly bell: (typeof BELLS)[number];
}

export const USUAL: Settings = {
  fontFamily: '',
  fontSize: 13,
  scrollback: 10_000,
  cursorStyle: 'block',
  cursorBlink: false,
  bell: 'visual',
};

/**
 * Returns stored or typed settings: numbers are rounded and limited to their bounds, invalid values replaced by
 * defaults.
 */
export function parseSettings(value: unknown): Settings {
  const given = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly [name: string]: unknown;
  };
  return {
    fontFamily: fontName(given['fontFamily']) ?? USUAL.fontFamily,
    fontSize: within(FONT_SIZE, given['fontSize']) ?? USUAL.fontSize,
    scrollback: within(SCROLLBACK, given['scrollback']) ?? USUAL.scrollback,
    cursorStyle: CURSORS.find((each) => each === given['cursorStyle']) ?? USUAL.cursorStyle,
    cursorBlink: given['cursorBlink'] === true,
    bell: BELLS.find((each) => each === given['bell']) ?? USUAL.bell,
  };
}

/**
 * Returns the value if it is a font name of at most `LONGEST_FONT` letters, digits, spaces, dots, hyphens and
 * underscores, since it is inserted into style sheets; null otherwise.
 */
function fontName(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_FONT) return null;
  return /^[\p{L}\p{N} ._-]*$/u.test(value) ? value : null;
}

/** Returns the nearest allowed value; null when the value is not a number. */
function within(
  { least, most }: { readonly least: number; readonly most: number },
  value: unknown,
): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(most, Math.max(least, Math.round(value)));
}
