// Worker thread that draws screens and scans recordings for replays, so that the gateway does not wait for them.
import { parentPort, workerData } from 'node:worker_threads';
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { isSystemError } from '../host/regular-file.ts';
import { StoredRecording } from '../record/stored-recording.ts';
import { DrawingTurns } from '../screens/drawing-turns.ts';
import type { ScreensLimits } from '../screens/messages.ts';
import { Drawing } from './drawing.ts';
import { RecordingScan } from './recording-scan.ts';

/** Maximum number of retained scans, and of retained drawings with their keyframes. */
const MOST_RECORDINGS = 8;
/** Drawing time limit per request; a distant moment takes several requests. */
const DRAWING_MS = 300;
/** Minimum bytes of output between the returned place and the moment, for a process without a terminal. */
const LINES_BYTES = 128 * 1024;

export interface RecordingTask {
  readonly kind: 'recording';
  readonly folder: string;
  /** Bytes of output that the process has printed, recorded or not. */
  readonly printedBytes: number;
}

export interface MomentTask extends Omit<RecordingTask, 'kind'> {
  readonly kind: 'moment';
  readonly atMs: number;
  readonly scrollback: number;
  readonly isTty: boolean;
  readonly isMasked: boolean;
}

export type ToReplay = { readonly id: number } & (RecordingTask | MomentTask);

export interface FromReplay {
  readonly id: number;
  /** Null when nothing is recorded, or with `failed`; `dropped` when drawing took longer than `screenDrawMs`. */
  readonly result: RecordingResult | MomentResult | 'dropped' | null;
  /** System error that prevented a result, otherwise null; as data, because a posted error would lose its code. */
  readonly failed: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> | null;
}

export type ReplayLimits = Pick<ScreensLimits, 'screenTurnMs' | 'screenDrawMs'>;

/** Retains the `MOST_RECORDINGS` values that were used most recently. */
class Recent<Value> {
  readonly #values = new Map<string, Value>();

  get(name: string, make: () => Value): Value {
    const value = this.#values.get(name) ?? make();
    this.#values.delete(name);
    this.#values.set(name, value);
    const [oldest] = this.#values;
    if (this.#values.size > MOST_RECORDINGS && oldest) this.#values.delete(oldest[0]);
    return value;
  }

  drop(name: string): void {
    this.#values.delete(name);
  }
}

const turns = new DrawingTurns<string>(workerData as ReplayLimits);
const scans = new Recent<RecordingScan>();
const drawings = new Recent<Drawing>();
let waiting: ToReplay[] = [];
let isWorking = false;

parentPort?.on('message', (message: ToReplay) => {
  waiting.push(message);
  if (!isWorking) void workOff();
});

/** Answers requests, each in one turn or several. Any error but a system error ends the thread. */
async function workOff(): Promise<void> {
  isWorking = true;
  for (let task = waiting.shift(); task; task = waiting.shift()) await takeTurn(task);
  isWorking = false;
}

async function takeTurn(task: ToReplay): Promise<void> {
  const { id, folder } = task;
  const progress = await turns.take(folder, async () => {
    try {
      answer(id, await answerTo(task));
    } catch (error) {
      // A recording that cannot be read must not prevent answers to other requests.
      if (!isSystemError(error)) throw error;
      const { message, code, syscall } = error;
      answer(id, null, { message, code, syscall });
    }
  });
  const own = waiting.filter((each) => each.folder === folder);
  if (progress === 'done') {
    if (own.length === 0) turns.renew(folder);
  } else if (task.kind === 'moment' && task.isTty && turns.isUsedUp(folder)) {
    for (const isMasked of [true, false]) drawings.drop(nameOf(folder, isMasked));
    turns.forget(folder);
    answer(id, 'dropped');
  } else {
    const others = waiting.filter((each) => each.folder !== folder);
    waiting = [...others, task, ...own];
  }
}

function answer(id: number, result: FromReplay['result'], failed: FromReplay['failed'] = null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ id, result, failed } satisfies FromReplay);
}

const nameOf = (folder: string, isMasked: boolean): string => `${isMasked ? 'masked' : 'shown'} ${folder}`;

async function answerTo(task: ToReplay): Promise<FromReplay['result']> {
  const { folder } = task;
  const recording = await StoredRecording.openIfAny(folder);
  if (!recording || recording.segments.length === 0) return null;
  if (task.kind === 'moment' && task.isTty) {
    const { isMasked } = task;
    const drawing = drawings.get(nameOf(folder, isMasked), () => new Drawing(isMasked, turns));
    return drawing.moment(recording, task, performance.now() + DRAWING_MS);
  }
  const scan = scans.get(folder, () => new RecordingScan(folder));
  await scan.advance(recording, turns);
  if (task.kind === 'recording') return scan.result(task.printedBytes);
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
