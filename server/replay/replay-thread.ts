// The thread of replays: screens are drawn and recordings looked through here, and nothing else waits for it.
import { parentPort } from 'node:worker_threads';
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { StoredRecording } from '../record/stored-recording.ts';
import { Drawing } from './drawing.ts';
import { RecordingScan } from './recording-scan.ts';

/** Recordings whose keyframes are kept, at most. */
const MOST_RECORDINGS = 8;
/** Time that one request may draw for; a longer way takes several. */
const DRAWING_MS = 300;
/** Output before a moment that is drawn without a tty. */
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
  readonly isCovered: boolean;
}

export type ToReplay = { readonly id: number } & (RecordingTask | MomentTask);

export interface FromReplay {
  readonly id: number;
  /** Null where nothing is recorded. */
  readonly result: RecordingResult | MomentResult | null;
}

/** Keeps the most recently used; `dropped` is called with the others. */
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
  // One after the other. An error ends the thread, as nothing handles it here.
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
    const { isCovered } = task;
    const drawing = drawings.get(
      `${isCovered ? 'covered' : 'shown'} ${folder}`,
      () => new Drawing(isCovered),
    );
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
