// Events of a page, each once and in order, and the end of reading a log that keeps growing.
import { expect, it, vi } from 'vitest';
import { RequestError } from '../../client/exec-client.ts';
import type { Page } from '../../client/wire.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { EventLog } from '../keeper/event-log.ts';
import type { LogEvent } from '../keeper/log-event.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { readByKey, type ReadRequest } from '../keeper/read.ts';
import type { Gateway } from './connect.ts';
import { linesOf, readLog, type LogLine } from './log-reader.ts';

const EMPTY: Page = { chunks: [], ends: [], missedBytes: 0, sizes: [], nextSeq: 1 };

const chunk = (seq: number) => ({
  kind: 'output' as const,
  seq,
  stream: 'pty' as const,
  bytes: new Uint8Array([seq]),
  live: false,
});

it('[CL9] linesOf places sizes, gaps and ends at their positions', () => {
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

it('[CL9] linesOf leaves out ends that belong to other pages', () => {
  const ends: Page['ends'] = [
    { kind: 'exited', seq: 2, exitCode: 0, sandboxDenied: false },
    { kind: 'closed', seq: 9 },
  ];
  const lines = linesOf({ ...EMPTY, chunks: [chunk(3)], ends, nextSeq: 4 }, 2);
  expect(lines.map(({ event }) => event)).toEqual(['output']);
});

it('[CL9] linesOf returns nothing when there is nothing new', () => {
  expect(linesOf({ ...EMPTY, nextSeq: 5 }, 4)).toEqual([]);
});

/** Creates a gateway with one process, which prints before each reply; `log` holds its output. */
function printing(log: EventLog, print: () => void): Gateway {
  const process = { log, exit: null, sandboxDenied: false } as unknown as ProcessView;
  const request = async (_method: string, params: ReadRequest): Promise<unknown> => {
    const page = readByKey(process, params, (chunk) => chunk);
    print();
    return page;
  };
  return { client: { connection: { request } } } as unknown as Gateway;
}

it.each([
  ['that is retained', 1_000_000],
  ['that is mostly evicted before it is read', 3000],
])(
  '[CL9] readLog ends at the present when a process prints faster than pages arrive: a log %s',
  async (_, limit) => {
    const log = new EventLog({ retainedBytes: limit, retainedEvents: 1000, chunkBytes: 1000 });
    // The output is longer than a page, and its last chunk is not sealed yet, so it has no seq.
    const before = 300;
    for (let at = 0; at < before; at += 1) log.append('stdout', Buffer.alloc(1000, 'a'));
    log.append('stdout', Buffer.from('now'));
    const print = vi.fn(() => {
      if (print.mock.calls.length > 10) throw new Error('it is asked for more and more');
      for (let at = 0; at < 10; at += 1) log.append('stdout', Buffer.alloc(1000, 'b'));
    });
    let read = '';
    let missed = 0;
    for await (const line of readLog(printing(log, print), { key: 'p', follows: false })) {
      if (line.event === 'output') read += Buffer.from(line.chunk, 'base64').toString();
      if (line.event === 'gap') missed += line.bytes;
    }
    expect(missed + read.length).toBeGreaterThanOrEqual(before * 1000 + 'now'.length);
    expect(missed > 0).toBe(limit < before * 1000);
    if (missed === 0) expect(read).toContain('now');
  },
);

it('[CL9] readLog reports output that is lost at the end as a gap, before the exit and the end', async () => {
  const output = { kind: 'output', seq: 1, offset: 0, stream: 'stdout', bytes: Buffer.from('abc'), atMs: 0 };
  const exit = { exitCode: 0, sandboxDenied: false };
  const end = { nextSeq: 9, offset: 100, exit, isClosed: true };
  const log = EventLog.restored([output as LogEvent], [], end);
  const lines: LogLine[] = [];
  const gateway = printing(log, () => {});
  for await (const line of readLog(gateway, { key: 'p', follows: true })) lines.push(line);
  expect(lines).toEqual([
    { event: 'output', seq: 1, stream: 'stdout', chunk: 'YWJj', atMs: 0 },
    { event: 'gap', afterSeq: 1, nextSeq: 9, bytes: 97 },
    { event: 'exited', seq: 7, ...exit },
    { event: 'closed', seq: 8 },
  ]);
});

it('[CL9] readLog fails with the possible reasons when the recording is removed between two pages', async () => {
  const log = new EventLog({ retainedBytes: 1_000_000, retainedEvents: 1000, chunkBytes: 1000 });
  for (let at = 0; at < 300; at += 1) log.append('stdout', Buffer.alloc(1000, 'a'));
  let pages = 0;
  const gateway = printing(log, () => {
    pages += 1;
    if (pages > 1) throw new RequestError('process/read', ErrorCode.unknownKey, 'unknown process key p');
  });
  const lines: LogLine[] = [];
  const reading = (async () => {
    for await (const line of readLog(gateway, { key: 'p', follows: true })) lines.push(line);
  })();
  await expect(reading).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringMatching(/^process p no longer exists: .*its recording was removed/),
  });
  expect(lines).not.toEqual([]);
});
