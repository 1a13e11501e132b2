// Thread of replays: it draws screens and scans recordings, so that nothing else waits for these.
import { parentPort } from 'node:worker_threads';
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { StoredRecording } from '../record/stored-recording.ts';
import { Drawing } from './drawing.ts';
import { RecordingScan } from './recording-scan.ts';

/** Maximum number of recordings with retained keyframes. */
const MOST_RECORDINGS = 8;
/** Time limit of drawing for one request; a distant moment takes several requests. */
const DRAWING_MS = 300;
/** Maximum output returned for a moment of a process without a terminal. */
const LINES_BYTES = 128 * 1024;

export interface RecordingTask {
  readonly kind: 'recording';
  readonly folder: string;
}

export interface MomentTask {
  readonly kind: 'moment';
  readonly folder: string;
  readonly atMs: number;
  readonly scrollback: number;
  readonly isTty: boolean;
  readonly isMasked: boolean;
}

export type ToReplay = { readonly id: number } & (RecordingTask | MomentTask);

export interface FromReplay {
  readonly id: number;
  /** Null when nothing is recorded. */
  readonly result: RecordingResult | MomentResult | null;
}

/** Retains the most recently used values; calls `dropped` with the others. */
class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #dropped: (value: Value) => void;

  constructor(dropped: (value: Value) => void) {
    this.#dropped = dropped;
  }

  get(name: string, make: () => Value): Value {
    const value = this.#values.get(name) ?? make();
    this.#values.delete(name);
    this.#values.set(name, value);
    const [oldest] = this.#values;
    if (this.#values.size > MOST_RECORDINGS && oldest) {
      this.#values.delete(oldest[0]);
      this.#dropped(oldest[1]);
    }
    return value;
  }
}

const scans = new Recent<RecordingScan>(() => undefined);
const drawings = new Recent<Drawing>((drawing) => drawing.dispose());
let turn: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (message: ToReplay) => {
  // Requests run one after another. An error ends the thread, because it is not handled here.
  turn = turn.then(async () => {
    const result = await answerTo(message);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage({ id: message.id, result } satisfies FromReplay);
  });
});

async function answerTo(task: ToReplay): Promise<FromReplay['result']> {
  const { folder } = task;
  const recording = await StoredRecording.open(folder).catch(() => null);
  if (!recording || recording.segments.length === 0) return null;
  const scan = scans.get(folder, () => new RecordingScan(folder));
  if (task.kind === 'moment' && task.isTty) {
    const { isMasked } = task;
    const drawing = drawings.get(`${isMasked ? 'masked' : 'shown'} ${folder}`, () => new Drawing(isMasked));
    return drawing.moment(recording, task, performance.now() + DRAWING_MS);
  }
  scan.advance(recording);
  if (task.kind === 'recording') return scan.result();
  const { seq, atMs } = scan.placeBefore(task.atMs, LINES_BYTES);
  return {
    isReached: true,
    drawnMs: task.atMs,
    seq: seq - 1,
    frameMs: atMs,
    rows: 0,
    cols: 0,
    data: '',
    exact: true,
  };
}
