// What xterm.js knows of its terminal and tells nobody; it counts there with every reflow, which no hook could follow.
import type { IBufferCell, Terminal } from '@xterm/headless';
import { internalsFor, type XtermAttributes, type XtermBuffer } from '../../text/xterm-internals.ts';

export type ScreenName = 'normal' | 'alternate';

/** Rows and columns from 0. */
export type InnerScreen = Pick<
  XtermBuffer,
  | 'scrollTop'
  | 'scrollBottom'
  | 'tabs'
  | 'savedX'
  | 'savedY'
  | 'savedGlevel'
  | 'savedOriginMode'
  | 'savedWraparoundMode'
> & { readonly savedCurAttrData: Protected };

export interface Inside {
  readonly screens: Readonly<Record<ScreenName, InnerScreen>>;
  /** Which of G0 to G3 characters are taken from. */
  readonly charsetLevel: number;
  /** Whether what is printed next is protected. */
  readonly isProtected: boolean;
}

/** As it is now; of an xterm.js that does not let us see it, as after a reset. */
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
  };
}

const TAB_COLUMNS = 8;

function untouched({ rows, cols }: Terminal): Inside {
  const stops = Array.from({ length: Math.ceil(cols / TAB_COLUMNS) }, (_, at) => [at * TAB_COLUMNS, true]);
  const screen: InnerScreen = {
    scrollTop: 0,
    scrollBottom: rows - 1,
    tabs: Object.fromEntries(stops) as InnerScreen['tabs'],
    savedX: 0,
    savedY: 0,
    savedGlevel: 0,
    savedOriginMode: false,
    savedWraparoundMode: true,
    savedCurAttrData: { isProtected: () => 0 },
  };
  return { screens: { normal: screen, alternate: screen }, charsetLevel: 0, isProtected: false };
}

/** Whether selective erasing leaves a cell alone. */
export const isProtectedCell = (cell: IBufferCell): boolean =>
  Reflect.has(cell, 'isProtected') && (cell as IBufferCell & Protected).isProtected() !== 0;

type Protected = Pick<XtermAttributes, 'isProtected'>;
