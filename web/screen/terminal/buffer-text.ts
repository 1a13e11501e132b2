// Text of a terminal: its buffer, with wrapped lines joined and trailing blanks removed, and its screen, line by line.
import type { IBuffer, Terminal } from '@xterm/xterm';

/** Text of a screen, without colours. */
export interface ScreenText {
  readonly rows: number;
  readonly cols: number;
  /** Rows from the top of the screen, regardless of the scroll position; without trailing blanks. */
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly col: number };
  readonly isAlternate: boolean;
  readonly modes: Terminal['modes'];
}

export function screenText({
  rows,
  cols,
  modes,
  buffer: { active },
}: Pick<Terminal, 'rows' | 'cols' | 'modes'> & {
  readonly buffer: { readonly active: IBuffer };
}): ScreenText {
  return {
    rows,
    cols,
    lines: Array.from({ length: rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    ),
    cursor: { row: active.cursorY, col: active.cursorX },
    isAlternate: active.type === 'alternate',
    modes: { ...modes },
  };
}

export function bufferText(buffer: IBuffer): string {
  const lines: string[] = [];
  for (let y = 0; y < buffer.length; y += 1) {
    const line = buffer.getLine(y);
    if (!line) continue;
    const continues = buffer.getLine(y + 1)?.isWrapped ?? false;
    const text = line.translateToString(!continues);
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
