// How terminals look and sound in this browser: what can be chosen, within which bounds, and what is meant when nothing is.

export const CURSORS = ['block', 'bar', 'underline'] as const;
export const BELLS = ['off', 'visual', 'sound'] as const;

export const FONT_SIZE = { least: 8, most: 32 } as const;
/** Lines above the screen. At the most, one terminal of usual width takes some 60 MB. */
export const SCROLLBACK = { least: 0, most: 50_000 } as const;
const LONGEST_FONT = 100;

export interface Settings {
  /** Of a font that this computer has; empty for the one that comes with the page. */
  readonly fontFamily: string;
  /** In CSS pixels. */
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

/** Of what was kept, or typed, all that makes sense; the usual for the rest. */
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

/** A name goes into style sheets, so that it is letters and little more. Null for anything else. */
function fontName(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_FONT) return null;
  return /^[\p{L}\p{N} ._-]*$/u.test(value) ? value : null;
}

/** The nearest that is allowed; null for what is no number. */
function within(
  { least, most }: { readonly least: number; readonly most: number },
  value: unknown,
): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(most, Math.max(least, Math.round(value)));
}
