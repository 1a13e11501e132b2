// Output of a process as lines: a bounded list outside of every store; the oldest lines are dropped first.
import type { Stream } from '../../../protocol/process.ts';
import type { RowPlace } from '../../../protocol/recorded-lines.ts';
import { skippedText } from '../../../text/missing-output.ts';
import { LineRun } from './line-run.ts';
import { isRestOf, type LogEntry, type LogLine } from './log-entry.ts';
import type { OpenLine } from './open-line.ts';
import type { HiddenLines } from '../../state/processes/terminal-state.ts';
import { StreamReader } from './stream-reader.ts';

/** Maximum lines and characters in memory per pane; dropped lines that are recorded are read when needed. */
const LOG_LIMITS = { lines: 100_000, characters: 32 * 1024 * 1024 } as const;
/** Characters charged for each style change, which takes about as much memory as that many characters. */
const RUN_CHARACTERS = 64;
/** Lines by which the list may exceed its limit: many are dropped at a time, since dropping moves the whole list. */
const DROP_LINES = 1024;

export class LogLines {
  readonly #limits: { readonly lines: number; readonly characters: number };
  readonly #changed: () => void;
  readonly #readers = new Map<Stream, StreamReader>();
  readonly #open = new Map<OpenLine, { readonly id: number; readonly line: LogLine }>();
  #entries: LogEntry[] = [];
  #firstId = 0;
  #characters = 0;
  #run = new LineRun(0);
  /** Id of the first entry of the run. */
  #runId = 0;
  #isCleared = false;
  #begunLine: { readonly number: number; readonly isRest: boolean } = { number: 0, isRest: false };
  /** Recorded lines by row; null for a log that reads no recording. */
  past: { at(row: number): LogEntry | undefined } | null = null;
  /** Number of lines started, and of lines retained, per stream. */
  readonly #begun = new Map<Stream, number>();
  readonly #retained = new Map<Stream, number>();
  #droppedLines = 0;
  /** Number of the dropped lines that a person has cleared. */
  #clearedLines = 0;
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

  /** Id of the oldest retained entry; ids are consecutive, and recorded lines above it have lower ids. */
  get firstId(): number {
    return this.#firstId;
  }

  get endId(): number {
    return this.#firstId + this.#entries.length;
  }

  get run(): LineRun {
    return this.#run;
  }

  /** Number of shown recorded rows above the oldest retained entry. */
  get pastRows(): number {
    return this.#only === null ? this.#earlierRows : 0;
  }

  /** Number of recorded rows above the oldest retained entry; no filter applies to them. */
  get #earlierRows(): number {
    return this.#isCleared ? 0 : this.#run.rowsBefore;
  }

  /** Id of the first entry shown, recorded or in memory. */
  get topId(): number {
    return this.#firstId - this.pastRows;
  }

  /** Number of lines started so far in the shown streams, including dropped ones. */
  get lineCount(): number {
    return this.#only === null ? sumOf(this.#begun) : (this.#begun.get(this.#only) ?? 0);
  }

  /** Number of retained lines in the streams that are not shown; null while all streams are shown. */
  get hidden(): HiddenLines | null {
    if (this.#only === null) return null;
    const shown = this.#retained.get(this.#only) ?? 0;
    const hidden = { lines: sumOf(this.#retained) - shown, isAll: shown === 0 };
    return this.#earlierRows > 0 ? { ...hidden, isPartial: true } : hidden;
  }

  /** Number of lines that were evicted or cleared. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  /** Number of lines that were dropped because of the maximum, not by a person. */
  get evictedLines(): number {
    return this.#droppedLines - this.#clearedLines;
  }

  /** True when the maximum number of lines or characters is reached. */
  get isFull(): boolean {
    const { lines, characters } = this.#limits;
    return this.#entries.length >= lines || this.#characters >= characters;
  }

  /** Disables dropping while the user reads; withheld acknowledgements limit the list in the meantime. */
  keepAll(keepsAll: boolean): void {
    this.#keepsAll = keepsAll;
  }

  /** Byte offset of the end of the received output, over all streams; infinite after the close. */
  get endOffset(): number {
    return this.#endOffset;
  }

  /** Byte offset of the oldest line in memory, over all streams; null when no line is in memory. */
  get oldestOffset(): number | null {
    return this.#entries.find((entry) => entry.kind === 'line')?.offset ?? null;
  }

  /** Ids of the lines that may still change. */
  get openIds(): readonly number[] {
    return [...this.#open.values()].map(({ id }) => id);
  }

  /**
   * Shows only one stream's lines and the markers; null shows everything. Returns true when this changes the view.
   */
  showOnly(stream: Stream | null): boolean {
    const isNew = stream !== this.#only;
    this.#only = stream;
    return isNew;
  }

  isShown(entry: LogEntry): boolean {
    if (entry.kind === 'divider') return true;
    return entry.isRest !== true && (this.#only === null || entry.stream === this.#only);
  }

  at(id: number): LogEntry | undefined {
    return id < this.#firstId ? this.past?.at(id - this.topId) : this.#entries[id - this.#firstId];
  }

  /** Id of a row, recorded or in memory; null when the row does not exist. */
  idOfRow(row: number): number | null {
    const { place, rowsBefore } = this.#run;
    if (row < rowsBefore) return this.#firstId - rowsBefore + row;
    const number = (place?.number ?? 0) + row - (place?.row ?? 0) + 1;
    const at = this.#entries.findIndex(
      (entry, index) =>
        entry.kind === 'line' && entry.number === number && index >= this.#runId - this.#firstId,
    );
    return at < 0 ? null : this.#firstId + at;
  }

  /** Row of an entry; null for a marker in memory, and while unknown. */
  rowOfId(id: number): number | null {
    const { place, rowsBefore } = this.#run;
    if (!place) return null;
    if (id < this.#firstId) return rowsBefore - (this.#firstId - id);
    const entry = this.#entries[id - this.#firstId];
    return entry?.kind === 'line' ? place.row + entry.number - place.number - 1 : null;
  }

  /** Sets the run's position in the recording, and drops earlier lines from memory, since they are recorded. */
  locate(place: RowPlace): void {
    const before = this.#run.place;
    this.#run.locate(place);
    const first = this.#runId - this.#firstId;
    if (first > 0) this.#take(first);
    for (const entry of this.#entries) {
      if (entry.kind !== 'line') continue;
      const position = before ? entry.number - before.number : entry.number;
      const { number, isRest } = before
        ? { number: place.number + position, isRest: entry.isRest }
        : this.#run.numberOf(position);
      Object.assign(entry, { number, isRest, isAfterGap: place.isAfterGap, version: entry.version + 1 });
    }
    this.#changed();
  }

  /** Returns the id of the line that contains the byte, or of the nearest line before it; null when there is none. */
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

  /** Inserts a gap with a note for bytes that will never arrive: open lines end here, and numbering restarts after it. */
  gap(bytes: number, note = skippedText(bytes)): void {
    for (const reader of this.#readers.values()) reader.end();
    this.divide(note);
    this.#endOffset += bytes;
    this.#run = new LineRun(this.#endOffset);
    this.#runId = this.endId;
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

  /** Returns the text of all retained lines and of the markers between them. */
  text(): string {
    let text = '';
    for (const [at, entry] of this.#entries.entries()) {
      if (entry.kind === 'divider') text += `\n— ${entry.text} —`;
      else text += isRestOf(this.#entries[at - 1], entry) ? entry.text : `\n${entry.text}`;
    }
    return `${text.slice(1)}\n`;
  }

  /** Drops all entries before the first that may still change. */
  clear(): void {
    this.#isCleared = true;
    const cleared = linesIn(this.takeEnded());
    this.#droppedLines += cleared;
    this.#clearedLines += cleared;
    this.#changed();
  }

  /** Removes and returns all entries before the first that may still change. */
  takeEnded(): readonly LogEntry[] {
    const endId = Math.min(this.endId, ...this.openIds);
    return this.#take(endId - this.#firstId);
  }

  /** Removes and returns the oldest entries; the caller breaks lines among them that are still open. */
  #take(count: number): readonly LogEntry[] {
    const taken = this.#entries.splice(0, count);
    for (const [at, entry] of taken.entries()) {
      if (entry.kind === 'line') this.#characters -= sizeOf(entry);
      this.#countRetained(entry, -1);
      if (entry.kind === 'line' && !entry.continues && this.#firstId + at >= this.#runId) this.#run.drop();
    }
    this.#firstId += count;
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
      this.#begunLine = this.#run.begin(stream);
      addTo(this.#begun, stream, 1);
    }
    const { number, isRest } = this.#begunLine;
    const line: LogLine = {
      kind: 'line',
      number,
      isRest,
      isAfterGap: this.#run.place?.isAfterGap ?? this.#run.offset > 0,
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
    this.#countRetained(line, 1);
  }

  #countRetained(entry: LogEntry, by: 1 | -1): void {
    if (entry.kind === 'line' && !entry.continues) addTo(this.#retained, entry.stream, by);
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
    this.#droppedLines += linesIn(this.#take(drop));
    // The rest of a dropped line that is still open becomes a new line.
    for (const [open, { id, line }] of this.#open) {
      if (id >= this.#firstId) continue;
      this.#open.delete(open);
      this.#reader(line.stream).breakLine();
    }
  }
}

/** Counts lines; a long one has several entries. */
const linesIn = (entries: readonly LogEntry[]): number =>
  entries.filter((entry) => entry.kind === 'line' && !entry.continues).length;

const sumOf = (counts: ReadonlyMap<Stream, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function addTo(counts: Map<Stream, number>, stream: Stream, by: number): void {
  counts.set(stream, (counts.get(stream) ?? 0) + by);
}

/** Returns the size in characters; the single style of a plain line is negligible. */
const sizeOf = ({ text, runs }: LogLine): number =>
  text.length + Math.max(0, runs.length - 1) * RUN_CHARACTERS;
