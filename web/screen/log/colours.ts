// Colours for drawing a style: the palette's or the program's own, adjusted to be readable on their background.
import type { Colour, TextStyle } from './text-style.ts';

/** Minimum text contrast for WCAG AA; a terminal drawn with WebGL uses the same value. */
const LEAST_CONTRAST = 4.5;
const STEPS = 10;
const DIM = 0.35;

/** The sixteen colours plus the default text and background colours, as `#rrggbb` or `#rgb`. */
export interface Palette {
  readonly foreground: string;
  readonly background: string;
  readonly colours: readonly string[];
}

export interface Drawn {
  readonly colour: string | null;
  readonly background: string | null;
}

type Rgb = readonly [number, number, number];

/** Returns the colours in which a style is drawn; null where the page's default applies. */
export function drawnColours(style: TextStyle, palette: Palette): Drawn {
  const own = { colour: colourOf(style.colour, palette), background: colourOf(style.background, palette) };
  const colour = style.inverse ? (own.background ?? palette.background) : own.colour;
  const background = style.inverse ? (own.colour ?? palette.foreground) : own.background;
  if (colour === null && background === null && !style.dim) return { colour, background };
  const ground = parse(background ?? palette.background);
  const wanted = parse(colour ?? palette.foreground);
  const letters = readable(style.dim ? mixed(wanted, ground, DIM) : wanted, ground);
  return { colour: hex(letters), background };
}

function colourOf(colour: Colour | null, { colours }: Palette): string | null {
  if (colour === null || typeof colour === 'string') return colour;
  if (colour < 16) return colours[colour] ?? null;
  if (colour >= 232) return hex([0, 0, 0].map(() => 8 + (colour - 232) * 10) as unknown as Rgb);
  const level = (at: number): number => (at === 0 ? 0 : 55 + at * 40);
  const cube = colour - 16;
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

/** Returns the colour itself or, if it is unreadable, the first readable mixture with black or white. */
function readable(colour: Rgb, ground: Rgb): Rgb {
  const goal: Rgb =
    contrast([255, 255, 255], ground) >= contrast([0, 0, 0], ground) ? [255, 255, 255] : [0, 0, 0];
  for (let step = 0; step < STEPS; step += 1) {
    const nearer = mixed(colour, goal, step / STEPS);
    if (contrast(nearer, ground) >= LEAST_CONTRAST) return nearer;
  }
  return goal;
}

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number): number =>
    value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const mixed = ([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb => [
  r + (toR - r) * share,
  g + (toG - g) * share,
  b + (toB - b) * share,
];

function parse(colour: string): Rgb {
  // A minifier may shorten #ffffff.
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

const hex = (rgb: Rgb): string =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
