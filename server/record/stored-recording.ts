// Reads one recording, a whole segment at a time, and finds events by their number.
import { open, readFile } from 'node:fs/promises';
import type { RecordedEvent, RecordedSize, Stretch } from './event.ts';
import { eventsIn, NOTHING, type DatedExit, type SegmentEvents } from './segment-events.ts';
import { segmentPaths } from './segment-files.ts';
import { decodeHead, recordsIn } from './segment-format.ts';
import { decodeCount } from './segment-payloads.ts';

/** Bytes at the beginning of a segment that contain the number of its first event. */
const BEGINNING_BYTES = 512;

interface Segment {
  readonly path: string;
  readonly bytes: number;
  readonly firstSeq: number;
  readonly firstOffset: number;
}

/** State at the end of a recording. */
export interface RecordedEnd {
  readonly nextSeq: number;
  readonly offset: number;
  readonly atMs: number;
  readonly exit: DatedExit | null;
  readonly isClosed: boolean;
}

export class StoredRecording {
  readonly #segments: readonly Segment[];
  /** The segment read last, because pages usually follow one another. */
  #last: { readonly segment: Segment; readonly content: SegmentEvents } | null = null;

  private constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  /** Opens a recording; skips files without a valid segment head. Rejects when there is no recording. */
  static async open(folder: string): Promise<StoredRecording> {
    const segments: Segment[] = [];
    for (const path of await segmentPaths(folder)) {
      const segment = await beginningOf(path);
      if (segment) segments.push(segment);
    }
    return new StoredRecording(segments);
  }

  get lastSegmentPath(): string | null {
    return this.#segments.at(-1)?.path ?? null;
  }

  /** The segments, the oldest first. */
  get segments(): readonly { readonly path: string; readonly bytes: number }[] {
    return this.#segments;
  }

  get storedBytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
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
    const from = Math.max(
      0,
      this.#segments.findLastIndex(({ firstSeq }) => firstSeq <= afterSeq + 1),
    );
    for (const segment of this.#segments.slice(from)) {
      if (segment.firstSeq === afterSeq + 1) had = segment.firstOffset;
      const content = await this.#read(segment);
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
    for (const segment of this.#segments.toReversed()) {
      if (segment.firstSeq >= beforeSeq) continue;
      const content = await this.#read(segment);
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
    const last = this.#segments.at(-1);
    if (!last) return { nextSeq: 1, offset: 0, atMs: 0, exit: null, isClosed: false };
    const { events, exit, atMs } = await this.#read(last);
    const event = events.at(-1);
    if (!event) return { nextSeq: last.firstSeq, offset: last.firstOffset, atMs, exit, isClosed: false };
    return {
      nextSeq: event.seq + 1,
      offset: endOf(event),
      atMs,
      exit,
      isClosed: event.kind === 'closed',
    };
  }

  async #read(segment: Segment): Promise<SegmentEvents> {
    if (this.#last?.segment === segment) return this.#last.content;
    const bytes = await readFile(segment.path).catch(() => Buffer.alloc(0));
    const head = decodeHead(bytes);
    const content = head ? eventsIn(bytes, head) : NOTHING;
    this.#last = { segment, content };
    return content;
  }
}

async function beginningOf(path: string): Promise<Segment | null> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const head = decodeHead(bytes.subarray(0, bytesRead));
    if (!head) return null;
    let firstSeq = 1;
    for (const record of recordsIn(bytes.subarray(0, bytesRead), head)) {
      if (record.type !== 'place') continue;
      firstSeq = decodeCount(record.payload) ?? 1;
      break;
    }
    return { path, bytes: (await file.stat()).size, firstSeq, firstOffset: head.firstOffset };
  } finally {
    await file.close();
  }
}

const bytesOf = (event: RecordedEvent): number => (event.kind === 'output' ? event.bytes.length : 0);
const endOf = (event: RecordedEvent): number => event.offset + bytesOf(event);

/**
 * Returns a stretch with the terminal's size at its first event. `had` is the offset up to which the reader
 * has all output; null means that nothing is missing.
 */
function stretch(
  events: readonly RecordedEvent[],
  sizes: readonly RecordedSize[],
  had: number | null,
): Stretch {
  const [first, last] = [events[0], events.at(-1)];
  const base = sizes.findLastIndex(({ afterSeq }) => afterSeq < (first?.seq ?? 0));
  return {
    events,
    missedBytes: first && had !== null ? first.offset - had : 0,
    sizes: sizes.slice(Math.max(base, 0)).filter(({ afterSeq }) => afterSeq < (last?.seq ?? 0)),
  };
}
