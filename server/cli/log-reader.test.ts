// The events of one page, each once and in order.
import { expect, it } from 'vitest';
import type { Page } from '../../web/client/wire.ts';
import { linesOf } from './log-reader.ts';

const EMPTY: Page = { chunks: [], ends: [], missedBytes: 0, sizes: [], nextSeq: 1 };

const chunk = (seq: number) => ({
  kind: 'output' as const,
  seq,
  stream: 'pty' as const,
  bytes: new Uint8Array([seq]),
  live: false,
});

it('[CL9] stand where they happened', () => {
  const page: Page = {
    ...EMPTY,
    chunks: [chunk(4), chunk(6)],
    ends: [
      { kind: 'exited', seq: 5, exitCode: 2, sandboxDenied: false },
      { kind: 'closed', seq: 7 },
    ],
    sizes: [
      { afterSeq: 3, rows: 24, cols: 80 },
      { afterSeq: 4, rows: 30, cols: 90 },
    ],
    missedBytes: 12,
    nextSeq: 8,
  };
  expect(linesOf(page, 1)).toEqual([
    { event: 'gap', afterSeq: 1, nextSeq: 4, bytes: 12 },
    { event: 'resized', afterSeq: 3, rows: 24, cols: 80 },
    { event: 'output', seq: 4, stream: 'pty', chunk: 'BA==' },
    { event: 'resized', afterSeq: 4, rows: 30, cols: 90 },
    { event: 'exited', seq: 5, exitCode: 2, sandboxDenied: false },
    { event: 'output', seq: 6, stream: 'pty', chunk: 'Bg==' },
    { event: 'closed', seq: 7 },
  ]);
});

it('[CL9] leave to other pages what is of other pages', () => {
  const ends: Page['ends'] = [
    { kind: 'exited', seq: 2, exitCode: 0, sandboxDenied: false },
    { kind: 'closed', seq: 9 },
  ];
  const lines = linesOf({ ...EMPTY, chunks: [chunk(3)], ends, nextSeq: 4 }, 2);
  expect(lines.map(({ event }) => event)).toEqual(['output']);
});

it('[CL9] are none when there is nothing new', () => {
  expect(linesOf({ ...EMPTY, nextSeq: 5 }, 4)).toEqual([]);
});
