// Tests of finished processes that are forgotten while a client is still attached to them: rule CO5.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConsoleChanged, WatchResult } from '../../protocol/console.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let watcher: TestClient;
let page: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ finishedProcesses: 2, attachments: 1, changedSoonMs: 5 });
  agent = await server.client('agent');
  watcher = await server.client('operator');
  page = await server.client('operator');
  await watcher.request('console/watch', {});
});
afterEach(() => server.stop());

const changes = (): ConsoleChanged[] =>
  watcher.log.flatMap(({ method, params }) =>
    method === 'console/changed' ? [params as unknown as ConsoleChanged] : [],
  );
const removed = (): string[] => changes().flatMap((change) => change.removed?.keys ?? []);

async function run(argv: string[]): Promise<string> {
  const { processId, key } = await agent.start(argv);
  await agent.waitEvent(processId, 'process/closed');
  return key;
}

/** Runs two processes, so that the given one is forgotten; returns the keys of the two. */
async function forgotten(key: string): Promise<string[]> {
  const remaining = [await run(['/bin/true']), await run(['/bin/true'])];
  await watcher.until(() => removed().includes(key), 'its removal');
  return remaining;
}

it('[CO5] no change of a removed process is sent when its attached controller disconnects', async () => {
  await page.request('console/watch', {});
  const { key } = await page.start(['/bin/true'], { session: 'console' });
  await page.waitEvent(key, 'process/closed');
  const remaining = await forgotten(key);
  const before = changes().length;
  await page.cut();
  // The removal, and the processes that replaced the removed one, were sent in earlier changes.
  const after = (): ConsoleChanged[] => changes().slice(before);
  await watcher.until(() => after().some(({ people }) => people?.length === 1), 'its disconnection');
  expect(after().flatMap(({ processes }) => processes ?? [])).toEqual([]);
  expect(removed()).toEqual([key]);
  const fresh = await server.client('operator');
  const { processes } = await fresh.request<WatchResult>('console/watch', {});
  expect(processes.map((info) => info.key)).toEqual(remaining);
});

it('[CO5] an attached client still gets the rest of a removed process until it detaches', async () => {
  const key = await run(['/bin/sh', '-c', 'seq 1 1000000 | head -c 200000']);
  await page.request('process/attach', { key, afterSeq: 0, windowBytes: 65_536 });
  await page.until(() => page.output(key).length > 0, 'some of it');
  const [other] = await forgotten(key);
  const lastSeq = (): number => Number(page.events(key).at(-1)?.params?.['seq']);
  while (page.output(key).length < 200_000) {
    const seq = lastSeq();
    await page.request('process/ack', { key, seq });
    await page.until(() => lastSeq() > seq, 'more of it');
  }
  // The last output may have arrived together with earlier output.
  await page.request('process/ack', { key, seq: lastSeq() });
  await page.waitEvent(key, 'process/closed');
  await expect(page.request('process/attach', { key: other })).rejects.toThrow('which is the limit');
  await page.request('process/detach', { key });
  await page.request('process/attach', { key: other });
  for (const [method, params] of [
    ['process/detach', { key }],
    ['process/ack', { key, seq: 1 }],
    ['process/control', { key, take: true }],
    ['process/control', { key, take: false }],
  ] as const) {
    await expect(page.request(method, params), method).rejects.toMatchObject({ code: -32020 });
  }
});
