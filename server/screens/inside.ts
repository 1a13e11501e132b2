// Access to internal state of xterm.js, which no parser hook could follow through a reflow.
import type { IBufferCell, Terminal } from '@xterm/headless';
import { internalsFor, type XtermAttributes, type XtermBuffer } from '../../text/xterm-internals.ts';

export type ScreenName = 'normal' | 'alternate';

/** Members of a screen; rows and columns count from 0. */
export type InnerScreen = Pick<
  XtermBuffer,
  'scrollTop' | 'scrollBottom' | 'tabs' | 'savedX' | 'savedGlevel' | 'savedOriginMode' | 'savedWraparoundMode'
> & { readonly savedCurAttrData: Attributes };

export interface Inside {
  readonly screens: Readonly<Record<ScreenName, InnerScreen>>;
  /** Slot of the selected character set, G0 to G3. */
  readonly charsetLevel: number;
  /** True when the next character is printed as protected. */
  readonly isProtected: boolean;
  /** Link of the next character. */
  readonly link: Link | null;
}

/** A link opened by OSC 8. */
export interface Link {
  /** Number that is unique for each link, even with the same URI. */
  readonly number: number;
  readonly id?: string | undefined;
  readonly uri: string;
}

interface Underline {
  /** Style number, which follows `4:` in the sequence. */
  readonly style: number;
  /** Colour of the underline; null means that of the text. */
  readonly colour: { readonly isRgb: boolean; readonly number: number } | null;
}

type Attributes = Pick<
  XtermAttributes,
  | 'isProtected'
  | 'hasExtendedAttrs'
  | 'extended'
  | 'getUnderlineStyle'
  | 'isUnderlineColorRGB'
  | 'isUnderlineColorPalette'
  | 'getUnderlineColor'
>;

/** Returns the current state, or the state after a reset if this version of xterm.js hides the current one. */
export function insideOf(terminal: Terminal): Inside {
  const internals = internalsFor(terminal, 'screen');
  if (!internals) return untouched(terminal);
  const { _bufferService, _charsetService, _inputHandler } = internals;
  const { normal, alt } = _bufferService.buffers;
  const { _curAttrData: pen } = _inputHandler;
  return {
    screens: { normal, alternate: alt },
    charsetLevel: _charsetService.glevel,
    isProtected: pen.isProtected() !== 0,
    link: linkOfAttributes(terminal, pen),
  };
}

const NO_EXTENDED: Attributes['extended'] = {
  underlineStyle: 0,
  underlineColor: 0,
  urlId: 0,
  clone: () => ({ ...NO_EXTENDED }),
};
const NO_ATTRIBUTES: Attributes = {
  isProtected: () => 0,
  hasExtendedAttrs: () => 0,
  extended: NO_EXTENDED,
  getUnderlineStyle: () => 0,
  isUnderlineColorRGB: () => false,
  isUnderlineColorPalette: () => false,
  getUnderlineColor: () => 0,
};

const TAB_COLUMNS = 8;

function untouched({ rows, cols }: Terminal): Inside {
  const stops = Array.from({ length: Math.ceil(cols / TAB_COLUMNS) }, (_, at) => [at * TAB_COLUMNS, true]);
  const screen: InnerScreen = {
    scrollTop: 0,
    scrollBottom: rows - 1,
    tabs: Object.fromEntries(stops) as InnerScreen['tabs'],
    savedX: 0,
    savedGlevel: 0,
    savedOriginMode: false,
    savedWraparoundMode: true,
    savedCurAttrData: NO_ATTRIBUTES,
  };
  return { screens: { normal: screen, alternate: screen }, charsetLevel: 0, isProtected: false, link: null };
}

function linksOf(terminal: Terminal) {
  const internals = internalsFor(terminal, 'links');
  if (!internals) return null;
  const { _oscLinkService: links } = internals;
  return links;
}

export function hasLinks(terminal: Terminal): boolean {
  const links = linksOf(terminal);
  return links !== null && links['_dataByLinkId'].size > 0;
}

/** Returns the link of a cell; null when it has none, or one that was dropped. */
export const linkOf = (terminal: Terminal, cell: IBufferCell): Link | null =>
  linkOfAttributes(terminal, attributesOf(cell));

function linkOfAttributes(terminal: Terminal, attributes: Attributes): Link | null {
  const number = attributes.hasExtendedAttrs() === 0 ? 0 : attributes.extended.urlId;
  const data = number > 0 ? linksOf(terminal)?.getLinkData(number) : undefined;
  return data ? { ...data, number } : null;
}

/** Returns the underline with which a cell was printed, even if a link hides it. */
export function underlineOf(cell: IBufferCell): Underline {
  const attributes = attributesOf(cell);
  const style = attributes.getUnderlineStyle();
  if (attributes.hasExtendedAttrs() === 0) return { style, colour: null };
  const own = Object.assign(attributes.extended.clone(), { urlId: 0 }).underlineStyle;
  const isRgb = attributes.isUnderlineColorRGB();
  const isSet = isRgb || attributes.isUnderlineColorPalette();
  return {
    style: style === 0 ? 0 : own,
    colour: isSet ? { isRgb, number: attributes.getUnderlineColor() } : null,
  };
}

/** Returns true when selective erasing leaves a cell unchanged. */
export const isProtectedCell = (cell: IBufferCell): boolean => attributesOf(cell).isProtected() !== 0;

/**
 * Returns a text that is the same for all cells with the same attributes; null when it would lack one of
 * them, for example the colour of the underline.
 */
export function plainAttributesOf(cell: IBufferCell): string | null {
  const { fg, bg } = cell as IBufferCell & { readonly fg?: unknown; readonly bg?: unknown };
  if (typeof fg !== 'number' || typeof bg !== 'number') return null;
  return attributesOf(cell).hasExtendedAttrs() === 0 ? `${fg} ${bg}` : null;
}

/** Returns a cell's attributes; if this version of xterm.js hides them, only whether the cell is underlined. */
const attributesOf = (cell: IBufferCell): Attributes =>
  Reflect.has(cell, 'isProtected') && Reflect.has(cell, 'hasExtendedAttrs')
    ? (cell as IBufferCell & Attributes)
    : { ...NO_ATTRIBUTES, getUnderlineStyle: () => (cell.isUnderline() === 0 ? 0 : 1) };
