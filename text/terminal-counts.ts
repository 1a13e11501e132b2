// Limits the counts in a program's sequences. xterm.js scrolls, inserts and repeats as often as requested,
// which can take hours, although the screen is full much earlier. The page and the gateway use the same
// limits, so that they draw the same.

import { internalsFor } from './xterm-internals.ts';

interface CsiId {
  readonly final: string;
  readonly intermediates?: string;
}

/** Parts of xterm.js used here, in the page and in the gateway. */
export interface CountedTerminal {
  readonly rows: number;
  readonly cols: number;
  readonly buffer: {
    readonly active: {
      readonly baseY: number;
      readonly cursorX: number;
      readonly cursorY: number;
      getLine(y: number): { getCell(x: number): { getChars(): string } | undefined } | undefined;
    };
  };
  readonly parser: {
    registerCsiHandler(
      id: CsiId,
      callback: (params: readonly (number | readonly number[])[]) => boolean,
    ): unknown;
  };
}

/**
 * Methods of xterm.js that perform the sequences; they are called directly, since a handler can drop a
 * sequence but not reduce its count.
 */
const COUNTED: readonly (CsiId & { readonly method: string; readonly by: 'rows' | 'cols' | 'chars' })[] = [
  { final: 'S', method: 'scrollUp', by: 'rows' },
  { final: 'T', method: 'scrollDown', by: 'rows' },
  { final: '^', method: 'scrollDown', by: 'rows' },
  { final: 'L', method: 'insertLines', by: 'rows' },
  { final: 'M', method: 'deleteLines', by: 'rows' },
  { final: '@', method: 'insertChars', by: 'cols' },
  { final: 'P', method: 'deleteChars', by: 'cols' },
  { final: 'I', method: 'cursorForwardTab', by: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', by: 'cols' },
  { final: 'b', method: 'repeatPrecedingCharacter', by: 'chars' },
  { intermediates: ' ', final: '@', method: 'scrollLeft', by: 'cols' },
  { intermediates: ' ', final: 'A', method: 'scrollRight', by: 'cols' },
  { intermediates: "'", final: '}', method: 'insertColumns', by: 'cols' },
  { intermediates: "'", final: '~', method: 'deleteColumns', by: 'cols' },
];

/** Maximum number of UTF-16 units that REP produces: a cell may contain many, and REP repeats all of them. */
const REPEATED_CHARS = 4000;

/**
 * Limits counts to the screen's rows or columns, beyond which more changes nothing; REP, which wraps, repeats at most
 * once per column. Call this before other handlers of these sequences are registered.
 */
export function limitCounts(terminal: CountedTerminal): void {
  const handler = internalsFor(terminal, 'counts')?.['_inputHandler'];
  for (const { method, by, ...id } of COUNTED) {
    terminal.parser.registerCsiHandler(id, ([count]) => {
      const most = by === 'chars' ? mostRepeats(terminal) : terminal[by];
      if (typeof count !== 'number' || count <= most) return false;
      handler?.[method]?.({ params: [most], length: 1 });
      return true;
    });
  }
}

function mostRepeats({ cols, buffer: { active } }: CountedTerminal): number {
  const line = active.getLine(active.baseY + active.cursorY);
  // The cell before the cursor is empty after a wide character, so both cells before it are read.
  const chars = [1, 2].map((back) => line?.getCell(active.cursorX - back)?.getChars().length ?? 0);
  return Math.max(1, Math.min(cols, Math.floor(REPEATED_CHARS / Math.max(1, ...chars))));
}
