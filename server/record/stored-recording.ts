// Reads one recording in parts (plain segments, and frames of sealed ones), and finds events by their number.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { NotAFile, nullWhenMissing, openRegularAsync, readRegularAsync } from '../host/regular-file.ts';
import type { RecordedEvent, RecordedSize, Stretch } from './event.ts';
import { USUAL_TABLE_BYTES, type SealedTable } from './sealed-format.ts';
import { plainSegment, readFrame, tableFrom } from './segment-content.ts';
import { eventsIn, NOTHING, type DatedExit, type SegmentEvents } from './segment-events.ts';
import { segmentPaths } from './segment-files.ts';
import { decodeHead, recordsIn } from './segment-format.ts';
import { HEAD_AND_RECORD_BYTES, headOf } from './segment-head.ts';
import { decodeCount } from './segment-payloads.ts';

/** Bytes at the beginning of a plain segment that contain the number of its first event. */
const BEGINNING_BYTES = 512;

/** Number of segments whose beginnings are read at once. */
const OPENED_AT_ONCE = 8;

interface Segment {
  readonly path: string;
  /** Length of the plain segment. */
  readonly bytes: number;
  readonly firstSeq: number;
  readonly firstOffset: number;
  /** The table of a sealed segment; null for a plain one. */
  readonly table: SealedTable | null;
}

/** The part of a recording that is read at once. */
interface Part extends Pick<Segment, 'firstSeq' | 'firstOffset'> {
  readonly segment: Segment;
  /** Index of a frame in a sealed segment; null for the whole segment. */
  readonly frame: number | null;
}

export interface RecordedEnd {
  readonly nextSeq: number;
  readonly offset: number;
  readonly atMs: number;
  readonly exit: DatedExit | null;
  readonly isClosed: boolean;
}

export class StoredRecording {
  readonly #segments: readonly Segment[];
  /** The part read last, retained because the next page often begins in it. */
  #last: { readonly part: Part; readonly content: SegmentEvents } | null = null;

  private constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  /** Opens a recording; skips files without a valid segment head. Rejects when there is no recording. */
  static async open(folder: string): Promise<StoredRecording> {
    const segments: Segment[] = [];
    const paths = await segmentPaths(folder);
    for (let at = 0; at < paths.length; at += OPENED_AT_ONCE) {
      const some = await Promise.all(paths.slice(at, at + OPENED_AT_ONCE).map(beginningOf));
      for (const segment of some) {
        if (!segment) continue;
        // A segment without its first event number is numbered from the end of the previous segment.
        const firstSeq = segment.firstSeq ?? (await new StoredRecording(segments).end()).nextSeq;
        segments.push({ ...segment, firstSeq });
      }
    }
    return new StoredRecording(segments);
  }

  /** Opens a recording; resolves with null when there is none. */
  static openIfAny(folder: string): Promise<StoredRecording | null> {
    return StoredRecording.open(folder).catch(nullWhenMissing);
  }

  get lastSegmentPath(): string | null {
    return this.#segments.at(-1)?.path ?? null;
  }

  /** The segments, the oldest first, with the lengths of their plain form. */
  get segments(): readonly Pick<Segment, 'path' | 'bytes' | 'table'>[] {
    return this.#segments;
  }

  /**
   * Returns the events after `afterSeq` up to the next gap, about `bytes` of output, and at least one event
   * if there is any.
   */
  async after(afterSeq: number, bytes: number): Promise<Stretch> {
    const events: RecordedEvent[] = [];
    const sizes: RecordedSize[] = [];
    let taken = 0;
    /** Offset up to which the reader has all output. */
    let had = 0;
    for (const part of this.#partsFrom(afterSeq + 1)) {
      if (events.length === 0 && part.firstSeq <= afterSeq + 1) had = part.firstOffset;
      const content = await this.#read(part);
      sizes.push(...content.sizes);
      for (const event of content.events) {
        const last = events.at(-1);
        if (event.seq <= afterSeq) had = endOf(event);
        else if (last && (taken >= bytes || event.seq !== last.seq + 1)) return stretch(events, sizes, had);
        else {
          events.push(event);
          taken += bytesOf(event);
        }
      }
      if (events.length > 0 && taken >= bytes) break;
    }
    return stretch(events, sizes, had);
  }

  /** Returns the newest events before `beforeSeq` back to the gap before them, about `bytes` of output. */
  async before(beforeSeq: number, bytes: number): Promise<Stretch> {
    const events: RecordedEvent[] = [];
    const sizes: RecordedSize[] = [];
    let taken = 0;
    for (const part of this.#partsBefore(beforeSeq)) {
      const content = await this.#read(part);
      sizes.unshift(...content.sizes);
      for (const event of content.events.toReversed()) {
        const next = events.at(-1);
        if (event.seq >= beforeSeq) continue;
        if (next && (taken >= bytes || event.seq !== next.seq - 1))
          return stretch(events.reverse(), sizes, null);
        events.push(event);
        taken += bytesOf(event);
      }
      if (taken >= bytes) break;
    }
    return stretch(events.reverse(), sizes, null);
  }

  async end(): Promise<RecordedEnd> {
    // A killed gateway may leave a last segment without events, so the end may be in an earlier one.
    for (const segment of this.#segments.toReversed()) {
      const { events, exit, atMs } = await this.#read(wholeOf(segment));
      const event = events.at(-1);
      if (event)
        return {
          nextSeq: event.seq + 1,
          offset: endOf(event),
          atMs,
          exit,
          isClosed: event.kind === 'closed',
        };
    }
    return { nextSeq: 1, offset: 0, atMs: 0, exit: null, isClosed: false };
  }

  /** Yields the parts from the one with this event on. */
  *#partsFrom(seq: number): Generator<Part> {
    const first = Math.max(
      0,
      this.#segments.findLastIndex(({ firstSeq }) => firstSeq <= seq),
    );
    for (const segment of this.#segments.slice(first)) {
      const { table } = segment;
      if (!table) yield wholeOf(segment);
      else for (let at = table.indexOfSeq(seq); at < table.count; at += 1) yield frameOf(segment, table, at);
    }
  }

  /** Yields the parts that begin before this event, the newest first. */
  *#partsBefore(seq: number): Generator<Part> {
    for (const segment of this.#segments.toReversed()) {
      const { table } = segment;
      if (segment.firstSeq >= seq) continue;
      if (!table) yield wholeOf(segment);
      else for (let at = table.indexOfSeq(seq - 1); at >= 0; at -= 1) yield frameOf(segment, table, at);
    }
  }

  async #read(part: Part): Promise<SegmentEvents> {
    const { segment, frame } = part;
    if (this.#last?.part.segment === segment && this.#last.part.frame === frame) return this.#last.content;
    const { table } = segment;
    const content =
      table && frame !== null
        ? await eventsOfFrame(segment.path, table, frame)
        : await eventsOf(segment, this.#segments[this.#segments.indexOf(segment) + 1]?.firstSeq);
    this.#last = { part, content };
    return content;
  }
}

async function eventsOf({ path, firstSeq }: Segment, nextSeq?: number): Promise<SegmentEvents> {
  const file = await readRegularAsync(path).catch(nullWhenMissing);
  // The segment may have been removed or sealed since the recording was opened.
  if (!file) return NOTHING;
  const bytes = plainSegment(file);
  const head = headOf(bytes);
  return head ? eventsIn(bytes, head, { seq: firstSeq, size: null, nextSeq }) : NOTHING;
}

async function eventsOfFrame(path: string, table: SealedTable, index: number): Promise<SegmentEvents> {
  const file = await openRegularAsync(path, constants.O_RDONLY).catch(nullWhenMissing);
  if (!file) return NOTHING;
  try {
    const bytes = await readFrame(file, table, index);
    const { seq, size } = table.frame(index);
    // The first frame contains the initial size as a record. The size is written before the record that sets the first
    // event's seq, so its `afterSeq` in the table may be too low.
    const least = table.frame(0).seq - 1;
    const initial = size && { ...size, afterSeq: Math.max(size.afterSeq, least) };
    return eventsIn(bytes, table.head, { seq, size: index === 0 ? null : initial });
  } finally {
    await file.close();
  }
}

const wholeOf = (segment: Segment): Part => ({
  segment,
  frame: null,
  firstSeq: segment.firstSeq,
  firstOffset: segment.firstOffset,
});

function frameOf(segment: Segment, table: SealedTable, frame: number): Part {
  const { seq, offset } = table.frame(frame);
  return { segment, frame, firstSeq: seq, firstOffset: offset };
}

/**
 * Returns null for anything but a file, such as a FIFO, because it has no valid head either; rethrows other
 * errors.
 */
function nullUnlessFile(error: unknown): null {
  if (error instanceof NotAFile) return null;
  throw error;
}

/** Reads the beginning of a segment; null if it has no valid head. `firstSeq` is null if no event number was found. */
async function beginningOf(
  path: string,
): Promise<(Omit<Segment, 'firstSeq'> & { readonly firstSeq: number | null }) | null> {
  const file = await openRegularAsync(path, constants.O_RDONLY).catch(nullUnlessFile);
  if (!file) return null;
  try {
    const beginning = await firstOf(file, USUAL_TABLE_BYTES);
    const table = await tableFrom(file, beginning);
    if (table) {
      const { seq, offset } = table.frame(0);
      return { path, bytes: table.plainBytes, firstSeq: seq, firstOffset: offset, table };
    }
    const head = decodeHead(beginning) ?? headOf(await firstOf(file, HEAD_AND_RECORD_BYTES));
    if (!head) return null;
    let firstSeq: number | null = null;
    for (const record of recordsIn(beginning.subarray(0, BEGINNING_BYTES), head)) {
      if (record.type !== 'place') continue;
      firstSeq = decodeCount(record.payload);
      break;
    }
    const { size } = await file.stat();
    return { path, bytes: size, firstSeq, firstOffset: head.firstOffset, table: null };
  } finally {
    await file.close();
  }
}

async function firstOf(file: FileHandle, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

const bytesOf = (event: RecordedEvent): number => (event.kind === 'output' ? event.bytes.length : 0);
const endOf = (event: RecordedEvent): number => event.offset + bytesOf(event);

/**
 * Returns a stretch with the terminal's sizes from its first event on. `had` is the offset up to which the reader has
 * all output; null means that nothing counts as missing.
 */
function stretch(
  events: readonly RecordedEvent[],
  sizes: readonly RecordedSize[],
  had: number | null,
): Stretch {
  const [first, last] = [events[0], events.at(-1)];
  const base = sizes.findLastIndex(({ afterSeq }) => afterSeq < (first?.seq ?? 0));
  // Each frame repeats the terminal size at the end of the previous frame, so duplicates are dropped.
  const isNew = (size: RecordedSize, at: number, all: readonly RecordedSize[]): boolean =>
    size.afterSeq !== all[at - 1]?.afterSeq ||
    size.rows !== all[at - 1]?.rows ||
    size.cols !== all[at - 1]?.cols;
  return {
    events,
    missedBytes: first && had !== null ? first.offset - had : 0,
    sizes: sizes
      .slice(Math.max(base, 0))
      .filter(isNew)
      .filter(({ afterSeq }) => afterSeq < (last?.seq ?? 0)),
  };
}
