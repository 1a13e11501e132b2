// The thread that searches recordings: an expression may take any time, and nothing else should wait for it.
import { parentPort } from 'node:worker_threads';
import { linesIn, matchSegment, type SegmentFound, type SegmentTask } from './match-segment.ts';

/** `count`: only the lines of a segment are wanted. */
export type ThreadTask = SegmentTask | { readonly count: string };

parentPort?.on('message', (task: ThreadTask) => {
  const found: SegmentFound =
    'count' in task ? { hits: [], lines: linesIn(task.count), isCut: false } : matchSegment(task);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(found);
});

// Reports that the thread is ready; until then no time is counted.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage({ hits: [], lines: 0, isCut: false } satisfies SegmentFound);
