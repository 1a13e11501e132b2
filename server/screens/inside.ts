// What xterm.js knows of its terminal and tells nobody; it counts there with every reflow, which no hook could follow.
import type { IBufferCell, Terminal } from '@xterm/headless';

export type ScreenName = 'normal' | 'alternate';

/** Rows and columns from 0. */
export interface InnerScreen {
  /** The first and the last row of the scroll region. */
  readonly scrollTop: number;
  readonly scrollBottom: number;
  /** A column that has a stop is in it. */
  readonly tabs: Readonly<Record<number, unknown>>;
  /** Of the saved cursor; the row counts from the first line that is kept. */
  readonly savedX: number;
  readonly savedY: number;
  readonly savedGlevel: number;
  readonly savedOriginMode: boolean;
  readonly savedWraparoundMode: boolean;
  readonly savedCurAttrData: Attributes;
}

interface Attributes {
  /** Whether selective erasing leaves what it prints alone (DECSCA); 0 when not. */
  isProtected(): number;
  /** Whether `extended` counts; 0 when not. */
  hasExtendedAttrs(): number;
  readonly extended: Extended;
  /** 0: none. */
  getUnderlineStyle(): number;
  isUnderlineColorRGB(): boolean;
  isUnderlineColorPalette(): boolean;
  getUnderlineColor(): number;
}

interface Extended {
  /** That of a link, while there is one, is not the one that was set. */
  readonly underlineStyle: number;
  /** The number of a link; 0: none. */
  readonly urlId: number;
  clone(): Extended;
}

export interface Inside {
  readonly screens: Readonly<Record<ScreenName, InnerScreen>>;
  /** Which of G0 to G3 characters are taken from. */
  readonly charsetLevel: number;
  /** Whether what is printed next is protected. */
  readonly isProtected: boolean;
  /** What is printed next is part of it. */
  readonly link: Link | null;
}

/** What OSC 8 has opened. */
export interface Link {
  /** Different for each, also where all else is the same. */
  readonly number: number;
  readonly id?: string | undefined;
  readonly uri: string;
}

interface Underline {
  /** As after `4:` in a sequence. */
  readonly style: number;
  /** Null: that of the text. */
  readonly colour: { readonly isRgb: boolean; readonly number: number } | null;
}

interface Core {
  readonly _bufferService: { readonly buffers: { readonly normal: InnerScreen; readonly alt: InnerScreen } };
  readonly _charsetService: { readonly glevel: number };
  readonly _inputHandler: { readonly _curAttrData: Attributes };
  readonly _oscLinkService: {
    readonly _dataByLinkId: ReadonlyMap<number, unknown>;
    getLinkData(number: number): Omit<Link, 'number'> | undefined;
  };
}

const coreOf = (terminal: Terminal): Core => Reflect.get(terminal, '_core') as Core;

/** As it is now. */
export function insideOf(terminal: Terminal): Inside {
  const { _bufferService, _charsetService, _inputHandler } = coreOf(terminal);
  const { normal, alt } = _bufferService.buffers;
  const { _curAttrData: pen } = _inputHandler;
  return {
    screens: { normal, alternate: alt },
    charsetLevel: _charsetService.glevel,
    isProtected: pen.isProtected() !== 0,
    link: linkOfAttributes(terminal, pen),
  };
}

/** Whether any link is known. */
export function hasLinks(terminal: Terminal): boolean {
  const { _oscLinkService: links } = coreOf(terminal);
  const { _dataByLinkId: known } = links;
  return known.size > 0;
}

/** The link that a cell is part of; null when it is part of none, or of one that is no longer known. */
export const linkOf = (terminal: Terminal, cell: IBufferCell): Link | null =>
  linkOfAttributes(terminal, cell as IBufferCell & Attributes);

function linkOfAttributes(terminal: Terminal, attributes: Attributes): Link | null {
  const { _oscLinkService: links } = coreOf(terminal);
  const number = attributes.hasExtendedAttrs() === 0 ? 0 : attributes.extended.urlId;
  const data = number > 0 ? links.getLinkData(number) : undefined;
  return data ? { ...data, number } : null;
}

/** The underline that a cell was given, which a link covers with one of its own. */
export function underlineOf(cell: IBufferCell): Underline {
  const attributes = cell as IBufferCell & Attributes;
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

/** Whether selective erasing leaves a cell alone. */
export const isProtectedCell = (cell: IBufferCell): boolean =>
  (cell as IBufferCell & Attributes).isProtected() !== 0;
