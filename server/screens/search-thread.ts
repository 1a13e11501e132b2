// Worker thread that searches output, because an expression may take very long.
import { parentPort } from 'node:worker_threads';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { matchLines, type Found, type Searched } from './match-lines.ts';

export interface SearchTask extends Omit<Searched, 'output'> {
  readonly query: LineQuery;
  readonly output: Uint8Array;
}

parentPort?.on('message', ({ query, output, ...task }: SearchTask) => {
  const found: Found = matchLines(expressionOf(query), { ...task, output: Buffer.from(output) });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(found);
});

// Reports that the thread is ready; the time limit begins then.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage({ hits: [], isCut: false } satisfies Found);
