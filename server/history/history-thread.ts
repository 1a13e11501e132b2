// Worker thread for recordings, since searching and counting them would block the gateway.
import { parentPort } from 'node:worker_threads';
import { matchSegment } from './match-segment.ts';
import { scanLines } from './scan-lines.ts';
import { linesIn } from './segment-text.ts';

const TASKS = {
  match: matchSegment,
  /** Counts the line feeds in a segment. */
  count: linesIn,
  scan: scanLines,
};

export type TaskKind = keyof typeof TASKS;
export type TaskOf<K extends TaskKind> = Parameters<(typeof TASKS)[K]>[0];
export type ResultOf<K extends TaskKind> = ReturnType<(typeof TASKS)[K]>;

parentPort?.on('message', ({ kind, task }: { readonly kind: TaskKind; readonly task: never }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(TASKS[kind](task));
});

// Reports that the thread is ready; until then no time is counted.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(null);
