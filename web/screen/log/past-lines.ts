// Lines that exist only in the recording, read in pages near the view; a bounded number of them stays in memory.
import type { LinesResult, RecordedRow } from '../../../protocol/recorded-lines.ts';
import { missingText } from '../../../text/missing-output.ts';
import type { LogEntry, LogLine } from './log-entry.ts';
import { LogLines } from './log-lines.ts';

/** Rows per page, and thereby the maximum per request. */
const PAGE_ROWS = 400;
/** Maximum rows and characters in memory. */
const MOST_ROWS = 20_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** Pause after a request that failed or returned no rows. */
const PAUSE_MS = 2000;

export interface LinesQuery {
  readonly row?: number;
  readonly offset?: number;
  readonly limit?: number;
}

export type AskLines = (query: LinesQuery) => Promise<LinesResult>;

/** Resolves to null when the row numbers of lines have changed, so that the rows must be requested again. */
export type AskRows = (query: LinesQuery) => Promise<readonly RecordedRow[] | null>;

interface Page {
  readonly rows: Map<number, LogEntry>;
  characters: number;
}

export class PastLines {
  readonly #ask: AskRows;
  readonly #changed: () => void;
  /** Pages by number, least recently used first. */
  readonly #pages = new Map<number, Page>();
  #isAsking = false;
  #isDisposed = false;
  #pausedUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `changed` when more lines can be drawn. */
  constructor(ask: AskRows, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  at(row: number): LogEntry | undefined {
    return this.#pages.get(Math.floor(row / PAGE_ROWS))?.rows.get(row);
  }

  forget(): void {
    this.#pages.clear();
  }

  take(rows: readonly RecordedRow[]): void {
    for (const [row, entry] of entriesOf(rows)) {
      const number = Math.floor(row / PAGE_ROWS);
      const page = this.#pages.get(number) ?? { rows: new Map(), characters: 0 };
      this.#pages.set(number, page);
      page.characters += entry.text.length - (page.rows.get(row)?.text.length ?? 0);
      page.rows.set(row, entry);
    }
    this.#drop();
  }

  /** Requests missing rows of this range or, if there are none, of the pages around it; `end` is the row count. */
  want(first: number, last: number, end: number): void {
    if (this.#isAsking || end === 0 || performance.now() < this.#pausedUntil) return;
    const missing = this.#missing(first, last) ?? this.#missing(first - PAGE_ROWS, last + PAGE_ROWS, end);
    if (missing === null) return;
    this.#isAsking = true;
    const limit = PAGE_ROWS - (missing % PAGE_ROWS);
    void this.#ask({ row: missing, limit }).then(
      (rows) => {
        if (rows) this.take(rows);
        this.#answered(rows === null || rows.length > 0);
      },
      () => this.#answered(false),
    );
  }

  #missing(first: number, last: number, end = last + 1): number | null {
    const from = Math.floor(Math.max(0, first) / PAGE_ROWS);
    for (let number = from; number <= Math.floor(Math.min(last, end - 1) / PAGE_ROWS); number += 1) {
      const page = this.#pages.get(number);
      if (!page) return number * PAGE_ROWS;
      this.#pages.delete(number);
      this.#pages.set(number, page);
      for (let row = Math.max(first, number * PAGE_ROWS); row < (number + 1) * PAGE_ROWS; row += 1)
        if (row <= last && row < end && !page.rows.has(row)) return row;
    }
    return null;
  }

  #answered(isFound: boolean): void {
    if (this.#isDisposed) return;
    this.#isAsking = false;
    if (isFound) {
      this.#changed();
      return;
    }
    this.#pausedUntil = performance.now() + PAUSE_MS;
    // Redraw after the pause, since nothing else may trigger it while missing rows are visible.
    this.#timer = setTimeout(this.#changed, PAUSE_MS);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #drop(): void {
    let [rows, characters] = [0, 0];
    for (const [number, page] of [...this.#pages].toReversed()) {
      rows += page.rows.size;
      characters += page.characters;
      const isOver = rows > MOST_ROWS || characters > MOST_CHARACTERS;
      if (isOver && page.rows.size < rows) this.#pages.delete(number);
    }
  }
}

const encoder = new TextEncoder();
const NO_LIMITS = { lines: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** Yields an entry for each row; colours carry over from one line to the next. */
function* entriesOf(rows: readonly RecordedRow[]): Generator<[number, LogEntry]> {
  const lines = new LogLines(() => undefined, NO_LIMITS);
  for (const row of rows) {
    if (row.kind === 'gap') {
      yield [row.row, { kind: 'divider', text: missingText(row.bytes), version: 0 }];
      continue;
    }
    const { stream, offset, atMs, text, isCut, number, isAfterGap } = row;
    lines.output(stream, encoder.encode(`${text}${isCut ? ' …' : ''}\n`), offset, atMs);
    const entry = joined(lines.takeEnded());
    if (entry) yield [row.row, { ...entry, number, isAfterGap }];
  }
}

/** A long line is parsed in pieces, but a recorded line is one row. */
function joined(pieces: readonly LogEntry[]): LogLine | null {
  const lines = pieces.filter((piece) => piece.kind === 'line');
  const [first] = lines;
  if (!first) return null;
  const whole: LogLine = { ...first, text: '', runs: [] };
  for (const { text, runs } of lines) {
    const before = whole.text.length;
    whole.runs = [...whole.runs, ...runs.map((run) => ({ ...run, start: run.start + before }))];
    whole.text += text;
  }
  return whole;
}
