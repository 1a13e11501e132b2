// Chooses the widths through which a terminal is narrowed. xterm.js creates all rows of a narrower screen before it
// drops those beyond its scrollback, which takes seconds when a row becomes thousands.

/** Maximum number of rows created at once, far more than a terminal of usual size has. */
const ROWS_AT_ONCE = 256 * 1024;

interface Shape {
  /** Lines on the screen and above it. */
  readonly lines: number;
  readonly cols: number;
}

/** Returns the width to set next on the way to `cols`. */
export function nextWidth({ lines, cols: from }: Shape, cols: number): number {
  const rows = lines * Math.ceil(from / cols);
  return rows <= ROWS_AT_ONCE ? cols : Math.max(cols, Math.ceil(from / 2));
}
