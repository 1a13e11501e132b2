// The terminal's letters, and how much room one of them takes before any terminal is there to be measured.
import type { Size } from '../../server/protocol/scalars.ts';

/** At their own line height: only so do the lines of full-screen programs join. */
export const TERMINAL_FONT = {
  fontFamily: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSize: 13,
  lineHeight: 1,
} as const;

/** What a pane has beside its terminal: tabs, header, padding and scrollbar. */
const CHROME_PX = { width: 26, height: 79 };

/** The terminal size that a pane of so many pixels will have. */
export function sizeIn({ width, height }: { readonly width: number; readonly height: number }): Size {
  const cell = cellSize();
  return {
    rows: Math.max(2, Math.floor((height - CHROME_PX.height) / cell.height)),
    cols: Math.max(10, Math.floor((width - CHROME_PX.width) / cell.width)),
  };
}

/** One cell in CSS pixels, measured as xterm.js does. */
function cellSize(): { readonly width: number; readonly height: number } {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return { width: 8, height: 17 };
  context.font = `${TERMINAL_FONT.fontSize}px ${TERMINAL_FONT.fontFamily}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('W');
  return { width, height: Math.ceil(fontBoundingBoxAscent + fontBoundingBoxDescent) };
}
