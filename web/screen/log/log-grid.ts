// Characters per row and row height, measured in the page for each width and number of digits.
import type { LogEntry, LogLine } from './log-entry.ts';
import { drawRow } from './log-row.ts';
import { pagePalette } from './palette.ts';
import { PLAIN_STYLE } from './text-style.ts';

export interface Grid {
  readonly width: number;
  /** Number of digits that fit in the line number gutter. */
  readonly digits: number;
  /** Characters per row; infinite when lines do not wrap. */
  readonly columns: number;
  readonly rowPx: number;
}

const LEAST_DIGITS = 4;
const PROBE: LogLine = {
  kind: 'line',
  number: 1,
  isAfterGap: false,
  continues: false,
  stream: 'stdout',
  atMs: null,
  offset: 0,
  text: '0000000000',
  runs: [{ start: 0, style: PLAIN_STYLE }],
  version: 0,
};

/** Measures the grid with a hidden row. */
export class LogGrid {
  readonly element = drawRow(PROBE, -1, { key: '', palette: pagePalette(), marks: [], isTarget: false });
  #grid: Grid | null = null;

  constructor() {
    this.element.classList.add('log-probe');
    this.element.setAttribute('aria-hidden', 'true');
  }

  get current(): Grid | null {
    return this.#grid;
  }

  /** Discards the measured grid after a style change, so that the next `measure` measures again. */
  forget(): void {
    this.#grid = null;
  }

  /** Returns the grid: the same one until `forget`, or a change of the view's width or the number of digits. */
  measure(view: HTMLElement, lines: number, wraps: boolean): Grid {
    const width = view.clientWidth;
    const digits = Math.max(LEAST_DIGITS, String(lines).length + 1);
    if (this.#grid?.width === width && this.#grid.digits === digits) return this.#grid;
    view.style.setProperty('--log-digits', String(digits));
    const text = this.element.querySelector('.log-text') ?? this.element;
    const letters = document.createRange();
    letters.selectNodeContents(text);
    const letterPx = letters.getBoundingClientRect().width / PROBE.text.length || 1;
    const columns = wraps
      ? Math.max(1, Math.floor(text.clientWidth / letterPx + 0.01))
      : Number.POSITIVE_INFINITY;
    const rowPx = this.element.getBoundingClientRect().height || 1;
    this.#grid = { width, digits, columns, rowPx };
    return this.#grid;
  }
}

/** Estimates the rows of an entry from its length; drawn entries are measured instead. */
export function rowsOf(entry: LogEntry, { columns }: Grid): number {
  return entry.kind === 'divider' ? 1 : Math.max(1, Math.ceil(entry.text.length / columns));
}
