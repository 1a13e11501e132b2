// The output of a process as lines: a bounded list outside of every store, the oldest dropped first.
import type { Stream } from '../../../protocol/process.ts';
import { bytesText } from '../../../text/amounts.ts';
import type { OpenLine, Run } from './open-line.ts';
import type { HiddenLines } from '../../state/processes/terminal-state.ts';
import { StreamReader } from './stream-reader.ts';

/**
 * Most lines and characters that one pane keeps. The gateway retains less of a running process; a download has the
 * rest.
 */
const LOG_LIMITS = { lines: 100_000, characters: 32 * 1024 * 1024 } as const;
/** Characters charged for one change of style: about as much memory as that many characters. */
const RUN_CHARACTERS = 64;
/** Lines dropped at a time, since dropping moves the whole list. */
const DROP_LINES = 1024;

/** A line of output. Its members change only while it is open. */
export interface LogLine {
  readonly kind: 'line';
  /** Line number: counted from 1, or from the last gap. */
  readonly number: number;
  readonly isAfterGap: boolean;
  /** True when the line is the rest of the line before, which was too long. */
  readonly continues: boolean;
  readonly stream: Stream;
  /** Time at which the gateway read the chunk in which the line begins; null when unknown. */
  readonly atMs: number | null;
  /** Bytes of all output before the line. */
  readonly offset: number;
  text: string;
  runs: readonly Run[];
  /** Increases with every change. */
  version: number;
}

/** A note of the page between the lines. */
export interface LogDivider {
  readonly kind: 'divider';
  readonly text: string;
  readonly version: 0;
}

export type LogEntry = LogLine | LogDivider;

export class LogLines {
  readonly #limits: { readonly lines: number; readonly characters: number };
  readonly #changed: () => void;
  readonly #readers = new Map<Stream, StreamReader>();
  readonly #open = new Map<OpenLine, { readonly id: number; readonly line: LogLine }>();
  #entries: LogEntry[] = [];
  #firstId = 0;
  #characters = 0;
  #number = 0;
  /** Number of lines of each stream that have begun, and of those that are kept. */
  readonly #begun = new Map<Stream, number>();
  readonly #kept = new Map<Stream, number>();
  #isAfterGap = false;
  #droppedLines = 0;
  #endOffset = 0;
  #keepsAll = false;
  #only: Stream | null = null;
  #atMs: number | null = null;

  /** Calls `changed` when there is something to draw. */
  constructor(
    changed: () => void,
    limits: { readonly lines: number; readonly characters: number } = LOG_LIMITS,
  ) {
    this.#changed = changed;
    this.#limits = limits;
  }

  /** Id of the oldest kept entry; ids are consecutive and never reused. */
  get firstId(): number {
    return this.#firstId;
  }

  /** Id after the newest entry. */
  get endId(): number {
    return this.#firstId + this.#entries.length;
  }

  /** Number of lines that have begun so far, kept or not, of the shown streams. */
  get lineCount(): number {
    return this.#only === null ? sumOf(this.#begun) : (this.#begun.get(this.#only) ?? 0);
  }

  /** Kept lines of the streams that are not shown; null while all are shown. */
  get hidden(): HiddenLines | null {
    if (this.#only === null) return null;
    const shown = this.#kept.get(this.#only) ?? 0;
    return { lines: sumOf(this.#kept) - shown, isAll: shown === 0 };
  }

  /** Number of lines that have been dropped. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  /** True when something must be dropped before more is kept. */
  get isFull(): boolean {
    const { lines, characters } = this.#limits;
    return this.#entries.length >= lines || this.#characters >= characters;
  }

  /** Turns dropping off while somebody reads; withheld acknowledgements then bound the list. */
  keepAll(keepsAll: boolean): void {
    this.#keepsAll = keepsAll;
  }

  /** Offset after the last known line, in bytes of all output; infinite after the close. */
  get endOffset(): number {
    return this.#endOffset;
  }

  /** Ids of the lines that may still change. */
  get openIds(): readonly number[] {
    return [...this.#open.values()].map(({ id }) => id);
  }

  /** Shows only the lines of one stream and the dividers; null: all. Returns true when that is a change. */
  showOnly(stream: Stream | null): boolean {
    const isNew = stream !== this.#only;
    this.#only = stream;
    return isNew;
  }

  isShown(entry: LogEntry): boolean {
    return this.#only === null || entry.kind === 'divider' || entry.stream === this.#only;
  }

  at(id: number): LogEntry | undefined {
    return this.#entries[id - this.#firstId];
  }

  /** Returns the id of the line with this byte of all output, or of the nearest before; null when there is none. */
  idAtOffset(offset: number): number | null {
    const at = this.#entries.findLastIndex(
      (entry) => entry.kind === 'line' && !entry.continues && entry.offset <= offset,
    );
    return at < 0 ? null : this.#firstId + at;
  }

  output(stream: Stream, bytes: Uint8Array, offset: number, atMs: number | null): void {
    this.#atMs = atMs;
    this.#endOffset = offset + bytes.length;
    this.#reader(stream).read(bytes, offset);
    this.#drop();
    this.#changed();
  }

  /** Inserts a gap of bytes that will never come: open lines end here, and numbers count from the gap. */
  gap(bytes: number): void {
    for (const reader of this.#readers.values()) reader.end();
    this.#number = 0;
    this.#isAfterGap = true;
    this.divide(`${bytesText(bytes)} not shown`);
  }

  divide(text: string): void {
    this.#entries.push({ kind: 'divider', text, version: 0 });
    this.#changed();
  }

  closed(): void {
    for (const reader of this.#readers.values()) reader.end();
    this.#endOffset = Number.POSITIVE_INFINITY;
    this.#changed();
  }

  /** Returns all kept lines, and the gaps between them. */
  text(): string {
    let text = '';
    for (const [at, entry] of this.#entries.entries()) {
      if (entry.kind === 'divider') text += `\n— ${entry.text} —`;
      else text += isRestOf(this.#entries[at - 1], entry) ? entry.text : `\n${entry.text}`;
    }
    return `${text.slice(1)}\n`;
  }

  /** Drops all finished entries, to make room for new ones. */
  clear(): void {
    this.#droppedLines += this.takeEnded().filter(({ kind }) => kind === 'line').length;
    this.#changed();
  }

  /** Removes and returns all entries before the first that may still change. */
  takeEnded(): readonly LogEntry[] {
    const endId = Math.min(this.endId, ...this.openIds);
    const taken = this.#entries.splice(0, endId - this.#firstId);
    this.#firstId = endId;
    for (const entry of taken) {
      if (entry.kind === 'line') this.#characters -= sizeOf(entry);
      this.#countKept(entry, -1);
    }
    return taken;
  }

  #reader(stream: Stream): StreamReader {
    const there = this.#readers.get(stream);
    if (there) return there;
    const reader = new StreamReader({
      began: (open, offset, continues) => this.#began(open, stream, offset, continues),
      changed: (open) => this.#read(open),
      ended: (open) => {
        this.#read(open);
        this.#open.delete(open);
      },
    });
    this.#readers.set(stream, reader);
    return reader;
  }

  #began(open: OpenLine, stream: Stream, offset: number, continues: boolean): void {
    if (!continues) {
      this.#number += 1;
      addTo(this.#begun, stream, 1);
    }
    const line: LogLine = {
      kind: 'line',
      number: this.#number,
      isAfterGap: this.#isAfterGap,
      continues,
      stream,
      atMs: this.#atMs,
      offset,
      text: '',
      runs: [],
      version: 0,
    };
    this.#open.set(open, { id: this.endId, line });
    this.#entries.push(line);
    this.#countKept(line, 1);
  }

  #countKept(entry: LogEntry, by: 1 | -1): void {
    if (entry.kind === 'line' && !entry.continues) addTo(this.#kept, entry.stream, by);
  }

  #read(open: OpenLine): void {
    const line = this.#open.get(open)?.line;
    if (!line) return;
    const { text, runs } = open.read();
    const before = sizeOf(line);
    line.text = text;
    line.runs = runs;
    this.#characters += sizeOf(line) - before;
    line.version += 1;
  }

  #drop(): void {
    if (this.#keepsAll) return;
    const { lines, characters } = this.#limits;
    let drop = this.#entries.length > lines + DROP_LINES ? this.#entries.length - lines : 0;
    let freed = 0;
    for (let at = 0; at < this.#entries.length; at += 1) {
      if (at >= drop && this.#characters - freed <= characters) break;
      const entry = this.#entries[at];
      if (entry?.kind === 'line') freed += sizeOf(entry);
      drop = Math.max(drop, at + 1);
    }
    if (drop === 0) return;
    for (const entry of this.#entries.splice(0, drop)) {
      if (entry.kind === 'line') this.#droppedLines += 1;
      this.#countKept(entry, -1);
    }
    this.#characters -= freed;
    this.#firstId += drop;
    // When a dropped line is still open, its rest becomes a new line.
    for (const [open, { id, line }] of this.#open) {
      if (id >= this.#firstId) continue;
      this.#open.delete(open);
      this.#reader(line.stream).breakLine();
    }
  }
}

/** True when the entry continues the one before, so that both are one line of output when joined. */
export const isRestOf = (before: LogEntry | undefined, entry: LogEntry): boolean =>
  entry.kind === 'line' && entry.continues && before?.kind === 'line' && before.stream === entry.stream;

const sumOf = (counts: ReadonlyMap<Stream, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function addTo(counts: Map<Stream, number>, stream: Stream, by: number): void {
  counts.set(stream, (counts.get(stream) ?? 0) + by);
}

/** Returns the size in characters; the one style of a plain line is negligible. */
const sizeOf = ({ text, runs }: LogLine): number =>
  text.length + Math.max(0, runs.length - 1) * RUN_CHARACTERS;
