// Terminal font, and the cell size before there is a terminal to measure.
import type { Size } from '../../../protocol/scalars.ts';
import { settingsStore } from './settings-store.ts';

const FALLBACKS = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';

interface TerminalFont {
  readonly fontFamily: string;
  readonly fontSize: number;
  readonly lineHeight: number;
}

export function terminalFont(): TerminalFont {
  const { fontFamily, fontSize } = settingsStore.getState();
  return {
    fontFamily: fontFamily === '' ? FALLBACKS : `"${fontFamily}", ${FALLBACKS}`,
    fontSize,
    // A larger line height would leave gaps in the box-drawing lines of full-screen programs.
    lineHeight: 1,
  };
}

/** Sets the font of terminal-like elements, such as logs and samples. */
export function styleByFont(): void {
  const { fontFamily, fontSize } = terminalFont();
  document.documentElement.style.setProperty('--terminal-font', fontFamily);
  document.documentElement.style.setProperty('--terminal-size', `${fontSize}px`);
}

/** Space that a pane needs besides its terminal: tabs, header, padding and scrollbar. */
const CHROME_PX = { width: 26, height: 79 };

/** Returns the terminal size for a pane of this size in px; at least 2 rows and 10 columns. */
export function sizeIn({ width, height }: { readonly width: number; readonly height: number }): Size {
  const cell = cellSize();
  return {
    rows: Math.max(2, Math.floor((height - CHROME_PX.height) / cell.height)),
    cols: Math.max(10, Math.floor((width - CHROME_PX.width) / cell.width)),
  };
}

/** Returns the cell size in CSS px, measured as xterm.js does. */
function cellSize(): { readonly width: number; readonly height: number } {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return { width: 8, height: 17 };
  const { fontFamily, fontSize } = terminalFont();
  context.font = `${fontSize}px ${fontFamily}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('W');
  return { width, height: Math.ceil(fontBoundingBoxAscent + fontBoundingBoxDescent) };
}
