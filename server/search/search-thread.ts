// The thread that looks through outputs: an expression may take any time, and nobody else should wait for it.
import { parentPort } from 'node:worker_threads';
import { matcher, matchLines, type LineHit, type Query } from './match-lines.ts';

export interface SearchTask {
  readonly query: Query;
  readonly output: Uint8Array;
  readonly offset: number;
  readonly limit: number;
}

export type SearchAnswer = readonly LineHit[];

parentPort?.on('message', ({ query, output, offset, limit }: SearchTask) => {
  const answer: SearchAnswer = matchLines(Buffer.from(output), offset, matcher(query), limit);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer);
});

// It is ready; until then no time is counted.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage([] satisfies SearchAnswer);
