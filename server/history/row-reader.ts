// Assembles output into rows: lines from chunks, and the gaps between them.
import type { Stream } from '../../protocol/process.ts';
import type { RecordedRow } from '../../protocol/recorded-lines.ts';
import { afterGap, afterOutput, rowOf, type LinePlace } from './line-place.ts';

const LINE_FEED = 10;
/** Maximum number of bytes returned for each line. */
const LINE_BYTES = 32 * 1024;
/** Number of bytes of text after which a page begins no more rows. */
const PAGE_BYTES = 1024 * 1024;

interface Line {
  readonly row: number;
  readonly number: number;
  readonly isAfterGap: boolean;
  readonly stream: Stream;
  readonly offset: number;
  readonly atMs: number;
  readonly pieces: Buffer[];
  bytes: number;
}

export class RowReader {
  readonly #first: number;
  readonly #limit: number;
  #place: LinePlace;
  readonly #rows: (Line | { readonly row: number; readonly gapBytes: number })[] = [];
  readonly #open = new Map<Stream, Line>();
  #bytes = 0;

  /** Reads from a place, and collects up to `limit` rows from row `first` on. */
  constructor(from: LinePlace, first: number, limit: number) {
    this.#place = from;
    this.#first = first;
    this.#limit = limit;
  }

  /** True when the page is full and all its lines have ended. */
  get isComplete(): boolean {
    return this.#isFull && this.#open.size === 0;
  }

  output(stream: Stream, bytes: Buffer, { offset, atMs }: { offset: number; atMs: number }): void {
    if (offset > this.#place.offset) this.#gap(offset);
    for (let at = 0; at < bytes.length;) {
      const newline = bytes.indexOf(LINE_FEED, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      const isNew = !this.#place.open.includes(stream);
      const place = afterOutput(this.#place, stream, bytes.subarray(at, end));
      if (isNew && this.#isWanted)
        this.#begin({
          row: rowOf(this.#place),
          number: place.lines - place.linesAtGap,
          isAfterGap: place.gaps > 0,
          stream,
          offset: offset + at,
          atMs,
          pieces: [],
          bytes: 0,
        });
      this.#put(stream, bytes.subarray(at, newline < 0 ? end : newline));
      if (newline >= 0) this.#open.delete(stream);
      this.#place = place;
      at = end;
    }
  }

  /** True when a collected line has no end yet. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Returns the collected rows; with `hasMore`, more output follows, so lines without an end count as cut. */
  rows(hasMore: boolean): readonly RecordedRow[] {
    const open = new Set(hasMore ? this.#open.values() : []);
    return this.#rows.map((row): RecordedRow => {
      if ('gapBytes' in row) return { row: row.row, kind: 'gap', bytes: row.gapBytes };
      const { pieces, bytes, ...line } = row;
      const text = Buffer.concat(pieces).toString('utf8');
      return { ...line, kind: 'line', text, isCut: bytes > LINE_BYTES || open.has(row) };
    });
  }

  get #isFull(): boolean {
    return this.#rows.length >= this.#limit || this.#bytes >= PAGE_BYTES;
  }

  get #isWanted(): boolean {
    return rowOf(this.#place) >= this.#first && !this.#isFull;
  }

  #begin(line: Line): void {
    this.#rows.push(line);
    this.#open.set(line.stream, line);
  }

  #put(stream: Stream, bytes: Buffer): void {
    const line = this.#open.get(stream);
    if (!line) return;
    const piece = bytes.subarray(0, Math.max(0, LINE_BYTES - line.bytes));
    line.pieces.push(piece);
    line.bytes += bytes.length;
    this.#bytes += piece.length;
  }

  #gap(offset: number): void {
    this.#open.clear();
    if (this.#isWanted) this.#rows.push({ row: rowOf(this.#place), gapBytes: offset - this.#place.offset });
    this.#place = afterGap(this.#place, offset);
  }
}
