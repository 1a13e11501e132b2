// Tests of the limit on requests that read recordings at once, over the wire: rule LI20.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoredRecording } from '../record/stored-recording.ts';
import { run } from '../testing/past-runs.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start({ retainedBytes: 100_000 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

it.each([
  ['lines', 'process/lines', {}, 1],
  ['output', 'process/read', { afterSeq: 0, waitMs: 0, recorded: true }, 1],
  ['processes of an earlier gateway', 'process/wait', { waitMs: 0 }, 2],
] as const)('[LI20] a token’s requests for %s run two at once, and delay no other token', async (...row) => {
  const [, method, params, runs] = row;
  const agent = await server.client('agent');
  // Concurrent requests open a past process only once, so several openings need several processes.
  const keys = [await run(agent, 'seq 1 100000')];
  while (keys.length < runs * 2 - 1) keys.push(await run(agent, 'seq 1 100000'));
  for (let at = 1; at < runs; at += 1) await server.restart();
  const [observer, operator] = [await server.client('observer'), await server.client('operator')];
  const open = StoredRecording.open.bind(StoredRecording);
  const opened: (() => void)[] = [];
  const spy = vi.spyOn(StoredRecording, 'open').mockImplementation(async (folder) => {
    await new Promise<void>((resolve) => opened.push(resolve));
    return open(folder);
  });
  const ofOthers = keys.slice(-2);
  const many = Array.from({ length: 20 }, (_, at) =>
    observer.request(method, { key: ofOthers[at % ofOthers.length], ...params }),
  );
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  const one = operator.request(method, { key: keys[0], ...params });
  await vi.waitFor(() => expect(opened).toHaveLength(3));
  // The reply to this request shows that all earlier ones of the observer have arrived.
  await observer.request('environment/status');
  expect(opened).toHaveLength(3);
  spy.mockImplementation(open);
  for (const proceed of opened) proceed();
  await one;
  await Promise.all(many);
});
