// Reads lines of a recording by row or by byte, as `process/lines` returns them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LinesResult, RecordedRow } from '../../protocol/recorded-lines.ts';
import type { LogEvent } from '../keeper/log-event.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { seenAfter, type SeenIn } from '../keeper/read-stretch.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { StoredRecording } from '../record/stored-recording.ts';
import { LineIndexes, type LineIndex } from './line-index.ts';
import { afterGap, afterOutput, rowOf, rowPlaceOf, type LinePlace } from './line-place.ts';
import { RowReader } from './row-reader.ts';
import type { HistoryTasks } from './tasks.ts';

const PAGE_ROWS = 500;
/** Bytes of output read at a time, and the maximum for one page. */
const READ_BYTES = 256 * 1024;
const MOST_READ_BYTES = 16 * READ_BYTES;
/** Bytes of output before a page that are searched for the beginning of a secret. */
const BEFORE_BYTES = 64 * 1024;

export interface LinesQuery {
  readonly row?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export class RecordedLines {
  readonly #recorder: Recorder;
  readonly #indexes: LineIndexes;

  constructor(recorder: Recorder, tasks: HistoryTasks) {
    this.#recorder = recorder;
    this.#indexes = new LineIndexes(tasks);
  }

  /**
   * Resolves with up to `limit` rows (default 500) from `row` on, or from the line with the byte at `offset`: none when
   * that byte was not printed yet. Resolves with null when the process has no recording; one without any segment is a
   * single gap.
   */
  async read(
    process: ProcessView,
    { row, offset, limit = PAGE_ROWS }: LinesQuery,
    seenIn: SeenIn,
  ): Promise<LinesResult | null> {
    const printedBytes = process.log.totalBytes;
    await this.#recorder.flushed(process.key);
    const folder = folderOf(this.#recorder.root, monthOf(process.startedAtMs), process.key);
    const recording = await StoredRecording.openIfAny(folder);
    if (!recording) return null;
    const index = this.#indexes.of(folder);
    const isPrinted = offset !== undefined && offset <= printedBytes;
    const found = isPrinted ? await this.#placeAt(recording, index, offset) : null;
    const place = found?.place ?? null;
    if (offset !== undefined && row === undefined && !place) return { rows: [], place };
    // The line with this byte began earlier, unless no line is open there.
    const first = row ?? (place ? Math.max(0, rowOf(place) - Math.sign(place.open.length)) : 0);
    const from = await index.before(recording, { row: first });
    const rows = from ? [...(await readRows(recording, from, { row: first, limit, seenIn }))] : [];
    const next = (rows.at(-1)?.row ?? first - 1) + 1;
    if (rows.length < limit) {
      // A gap after the last event is not recorded.
      const end = found ?? (await this.#placeAt(recording, index, printedBytes));
      if (end && end.gapBytes > 0 && next === rowOf(end.place) - 1)
        rows.push({ row: next, kind: 'gap', bytes: end.gapBytes });
    }
    return { rows, place: place && rowPlaceOf(place) };
  }

  async #placeAt(recording: StoredRecording, index: LineIndex, offset: number): Promise<PrintedPlace | null> {
    const from = await index.before(recording, { offset });
    return from && placeAt(recording, from, offset);
  }
}

/** Yields the events after a place in parts, with up to `MOST_READ_BYTES` of output in total. */
async function* eventsFrom(
  recording: StoredRecording,
  { seq }: LinePlace,
): AsyncGenerator<readonly LogEvent[]> {
  for (let [afterSeq, bytes] = [seq - 1, 0]; bytes < MOST_READ_BYTES; bytes += READ_BYTES) {
    const { events } = await recording.after(afterSeq, READ_BYTES);
    const last = events.at(-1);
    if (!last) return;
    yield events;
    afterSeq = last.seq;
    // Masking takes up to 0.1 s for each part; requests of other clients are handled between parts.
    await nextTurn();
  }
}

/** Place at a printed byte, and the unrecorded bytes directly before it. */
interface PrintedPlace {
  readonly place: LinePlace;
  readonly gapBytes: number;
}

async function placeAt(recording: StoredRecording, from: LinePlace, offset: number): Promise<PrintedPlace> {
  const before = await recordedBefore(recording, from, offset);
  const gapBytes = offset - before.offset;
  return { place: gapBytes > 0 ? afterGap(before, offset) : before, gapBytes };
}

/** Resolves with the place after the last recorded byte before `offset`. */
async function recordedBefore(
  recording: StoredRecording,
  from: LinePlace,
  offset: number,
): Promise<LinePlace> {
  let place = from;
  for await (const events of eventsFrom(recording, from)) {
    for (const event of events) {
      if (event.kind !== 'output') continue;
      if (event.offset >= offset) return place;
      if (event.offset > place.offset) place = afterGap(place, event.offset);
      place = afterOutput(place, event.stream, event.bytes.subarray(0, offset - event.offset));
    }
  }
  return place;
}

const hasOutputAfter = async (recording: StoredRecording, { seq }: LogEvent): Promise<boolean> =>
  (await recording.after(seq, 1)).events.some(({ kind }) => kind === 'output');

async function readRows(
  recording: StoredRecording,
  from: LinePlace,
  { row, limit, seenIn }: { readonly row: number; readonly limit: number; readonly seenIn: SeenIn },
): Promise<readonly RecordedRow[]> {
  const reader = new RowReader(from, row, limit);
  let before: readonly LogEvent[] = [];
  for await (const events of eventsFrom(recording, from)) {
    if (before.length === 0) before = (await recording.before(events[0]?.seq ?? 0, BEFORE_BYTES)).events;
    const seen = seenAfter(before, events, seenIn);
    for (const event of events) {
      if (event.kind !== 'output') continue;
      const { stream, bytes, offset, atMs } = seen(event);
      reader.output(stream, bytes, { offset, atMs });
    }
    if (reader.isComplete) break;
    before = events;
  }
  const last = before.at(-1);
  return reader.rows(reader.isOpen && last !== undefined && (await hasOutputAfter(recording, last)));
}
