// Worker thread for recordings, since searching, counting, indexing and sealing them would block the gateway.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { sealSegment } from '../record/seal.ts';
import { matchSegment } from './match-segment.ts';
import { scanLines } from './scan-lines.ts';
import { linesOfSegment, writeIndex } from './segment-index.ts';
import { allFolders, changedSizes, unfinished } from './unfinished.ts';

const TASKS = {
  match: matchSegment,
  /** Counts the line feeds in a segment. */
  count: linesOfSegment,
  scan: scanLines,
  folders: allFolders,
  unfinished,
  sizes: changedSizes,
  index: writeIndex,
  seal: sealSegment,
};

export type TaskKind = keyof typeof TASKS;
export type TaskOf<K extends TaskKind> = Parameters<(typeof TASKS)[K]>[0];
export type ResultOf<K extends TaskKind> = ReturnType<(typeof TASKS)[K]>;
export interface ThreadData {
  /** True for background work, which no request is waiting for. */
  readonly isBackground: boolean;
}

// Linux has a separate priority for each thread, so this lowers only the priority of this one.
if ((workerData as ThreadData).isBackground) setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', ({ kind, task }: { readonly kind: TaskKind; readonly task: never }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(TASKS[kind](task));
});

// Reports that the thread is ready; time limits begin only then.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(null);
