// Finds the times and marks of a recording. Each segment is read once, and a growing one from where the last scan
// ended.
import type { RecordingResult } from '../../protocol/replay.ts';
import { recordsFrom } from '../record/growing-segment.ts';
import { isOutput, type SegmentRecord } from '../record/segment-format.ts';
import { decodeCount, decodeExit, decodeSize } from '../record/segment-payloads.ts';
import type { StoredRecording } from '../record/stored-recording.ts';
import type { Turn } from '../screens/drawing-turns.ts';
import { Bins } from './bins.ts';
import { Marks, notedMarks } from './marks.ts';
import { Signs, type Sign } from './signs.ts';

/** Minimum bytes of output between two stored places. */
const EVERY_BYTES = 64 * 1024;
/** Minimum pause in stderr output after which further output is marked again. */
const STDERR_PAUSE_MS = 1000;

export interface Place {
  readonly seq: number;
  readonly offset: number;
  readonly atMs: number;
}

interface State {
  readonly bins: Bins;
  readonly marks: Marks;
  readonly places: Place[];
  readonly signs: Signs;
  seq: number;
  /** Bytes of all output so far. */
  offset: number;
  atMs: number;
  stderrAtMs: number;
  size: string;
}

export class RecordingScan {
  readonly #folder: string;
  #read = new Map<string, number>();
  #state = fresh();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads everything added since the last call; pauses at the end of each `turn`, and continues in the next one. */
  async advance({ segments }: StoredRecording, turn: Turn): Promise<void> {
    const paths = new Set(segments.map(({ path }) => path));
    // A segment was removed because of a limit: the scan starts over, so that its result has a gap in that place.
    if ([...this.#read.keys()].some((path) => !paths.has(path))) {
      this.#read = new Map();
      this.#state = fresh();
    }
    for (const { path, bytes } of segments) {
      const at = this.#read.get(path) ?? 0;
      if (at >= bytes) continue;
      const { records, end } = recordsFrom(path, at);
      for (const record of records) {
        take(this.#state, record);
        if (turn.isOver) await turn.again();
      }
      this.#read.set(path, end());
    }
  }

  async result(printedBytes: number): Promise<RecordingResult> {
    const { bins, marks, atMs, offset } = this.#state;
    const all = [...(await notedMarks(this.#folder)), ...marks.all];
    // The end of the output may be lost, and then no later record shows the gap.
    if (printedBytes > offset) all.push({ kind: 'gap', bytes: printedBytes - offset, atMs, count: 1 });
    return {
      fromMs: bins.fromMs ?? 0,
      toMs: atMs,
      binMs: bins.binMs,
      ...bins.all(),
      marks: all.toSorted((one, other) => one.atMs - other.atMs),
      isCut: marks.isCut,
    };
  }

  /**
   * Returns a stored place with at least `bytes` of output between it and the time; otherwise the first stored place,
   * or the beginning of the recording when there is none.
   */
  placeBefore(atMs: number, bytes: number): Place {
    const { places } = this.#state;
    const before = places.findLastIndex((place) => place.atMs <= atMs);
    return places[Math.max(0, before - Math.ceil(bytes / EVERY_BYTES))] ?? { seq: 1, offset: 0, atMs: 0 };
  }
}

function fresh(): State {
  const marks = new Marks();
  const state: State = {
    bins: new Bins(),
    marks,
    places: [],
    signs: new Signs((sign: Sign) => marks.add({ ...sign, atMs: state.atMs, count: 1 })),
    seq: 1,
    offset: 0,
    atMs: 0,
    stderrAtMs: 0,
    size: '',
  };
  return state;
}

function take(state: State, record: SegmentRecord | null): void {
  if (record === null) {
    state.seq += 1;
    return;
  }
  const { type, payload, offset } = record;
  state.atMs = Math.max(state.atMs, record.atMs);
  const { bins, marks, atMs } = state;
  bins.begin(atMs);
  if (type === 'place') state.seq = decodeCount(payload) ?? state.seq;
  else if (type === 'resize') takeSize(state, payload);
  else if (type === 'exit') {
    const { code = -1 } = decodeExit(payload) ?? {};
    marks.add({ kind: 'exit', exitCode: code, atMs, count: 1 });
    state.seq += 1;
  } else if (type === 'end') state.seq += 1;
  else if (isOutput(type)) {
    if (offset > state.offset) marks.add({ kind: 'gap', bytes: offset - state.offset, atMs, count: 1 });
    if (offset - (state.places.at(-1)?.offset ?? -EVERY_BYTES) >= EVERY_BYTES)
      state.places.push({ seq: state.seq, offset, atMs });
    state.offset = offset + payload.length;
    state.seq += 1;
    bins.add(atMs, payload.length);
    if (type === 'pty') state.signs.take(payload);
    else if (type === 'stderr') {
      if (atMs - state.stderrAtMs >= STDERR_PAUSE_MS)
        marks.add({ kind: 'error', exitCode: null, atMs, count: 1 });
      state.stderrAtMs = atMs;
    }
  }
}

/** Adds a mark for a changed size; the first size is not a change, nor is one that a new segment repeats. */
function takeSize(state: State, payload: Buffer): void {
  const size = decodeSize(payload);
  const name = `${size?.cols}x${size?.rows}`;
  if (size && state.size !== '' && state.size !== name)
    state.marks.add({ kind: 'resize', ...size, atMs: state.atMs, count: 1 });
  state.size = name;
}
