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
}

export interface Inside {
  readonly screens: Readonly<Record<ScreenName, InnerScreen>>;
  /** Which of G0 to G3 characters are taken from. */
  readonly charsetLevel: number;
  /** Whether what is printed next is protected. */
  readonly isProtected: boolean;
}

interface Core {
  readonly _bufferService: { readonly buffers: { readonly normal: InnerScreen; readonly alt: InnerScreen } };
  readonly _charsetService: { readonly glevel: number };
  readonly _inputHandler: { readonly _curAttrData: Attributes };
}

/** As it is now. */
export function insideOf(terminal: Terminal): Inside {
  const { _bufferService, _charsetService, _inputHandler } = Reflect.get(terminal, '_core') as Core;
  const { normal, alt } = _bufferService.buffers;
  const { _curAttrData: pen } = _inputHandler;
  return {
    screens: { normal, alternate: alt },
    charsetLevel: _charsetService.glevel,
    isProtected: pen.isProtected() !== 0,
  };
}

/** Whether selective erasing leaves a cell alone. */
export const isProtectedCell = (cell: IBufferCell): boolean =>
  (cell as IBufferCell & Attributes).isProtected() !== 0;
