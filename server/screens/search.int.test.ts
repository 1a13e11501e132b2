// Tests of search in the output of all processes, over the wire: rules SR1 to SR4.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SearchResult } from '../../protocol/looks.ts';
import type { Limits } from '../config.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let watcher: TestClient;
/**
 * Time limit in tests of expressions that never end; other tests use the longer default, because the machine may be
 * busy.
 */
const SHORT_SEARCH_MS = 500;

async function startWith(limits: Partial<Limits>): Promise<void> {
  server = await TestServer.start({
    searchHits: 5,
    searchHitsPerProcess: 3,
    retainedBytes: 100_000,
    ...limits,
  });
  agent = await server.client('agent');
  watcher = await server.client('observer');
}

async function restartWith(limits: Partial<Limits>): Promise<void> {
  await server.stop();
  await startWith(limits);
}

beforeEach(() => startWith({}));
afterEach(() => server.stop());

const search = (query: string, params: object = {}): Promise<SearchResult> =>
  watcher.request('console/search', { query, ...params });

async function ran(script: string, tty = false): Promise<string> {
  const { key, processId } = await agent.start(['/bin/sh', '-c', script], { tty });
  await agent.waitEvent(processId, 'process/closed');
  return key;
}

it('[SR1] a search finds lines of live and finished processes, the newest process first', async () => {
  const first = await ran('echo one; echo a needle here; echo two');
  const second = await ran("printf '\\033[31mneedle\\033[0m\\r\\nx'", true);
  const live = await agent.start(['/bin/sh', '-c', 'echo live needle; sleep 1000']);
  await agent.waitOutput(live.processId, 'needle');
  const result = await search('needle');
  expect(result.isComplete).toBe(true);
  expect(result.hits.map(({ key, offset, text }) => [key, offset, text])).toEqual([
    [live.key, 0, 'live needle'],
    [second, 0, 'needle'],
    [first, 4, 'a needle here'],
  ]);
  expect((await search('needle', { keys: [first] })).hits).toHaveLength(1);
  expect((await search('^needle$', { regex: true })).hits).toHaveLength(1);
  expect((await search('NEEDLE', { caseSensitive: true })).hits).toEqual([]);
});

it('[SR1] offsets count from the first byte, even when that is evicted', async () => {
  const key = await ran('seq 1 100000');
  const { hits } = await search('^99999$', { regex: true });
  // The offset counts the lines 1 to 99998 with their line ends.
  expect(hits).toMatchObject([{ key, offset: 588_882, text: '99999' }]);
  expect((await search('^1$', { regex: true })).hits).toEqual([]);
});

it('[SR2] a search returns a limited number of hits, and reports when there may be more', async () => {
  const first = await ran('echo x1; echo x2; echo x3; echo x4; echo y');
  for (let i = 0; i < 2; i += 1) await ran('echo x1; echo x2; echo x3; echo x4');
  const result = await search('x');
  expect(result.hits.map(({ text }) => text)).toEqual(['x2', 'x3', 'x4', 'x3', 'x4']);
  expect(result.isComplete).toBe(false);
  expect((await search('x', { keys: [first] })).isComplete).toBe(false);
  expect((await search('y')).isComplete).toBe(true);
});

it('[SR3] an expression that takes too long is aborted, and the next search works', async () => {
  await restartWith({ searchMs: SHORT_SEARCH_MS });
  await ran(`echo ${'a'.repeat(60)}`);
  await expect(search('(a+)+$b', { regex: true })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('too long'),
  });
  await expect(search('(', { regex: true })).rejects.toMatchObject({ code: -32602 });
  expect((await search('aaa')).hits).toHaveLength(1);
});

it('[SR3] a search that runs out of time returns its hits so far', async () => {
  await restartWith({ searchAllMs: 0 });
  await ran('echo needle');
  expect(await search('needle')).toEqual({ hits: [], searchedBytes: 0, isComplete: false });
});

it('[SR4] a search waits at most for one output of another client’s searches', async () => {
  await restartWith({ searchMs: SHORT_SEARCH_MS });
  await ran(`echo ${'a'.repeat(60)}`);
  const operator = await server.client('operator');
  const answered: string[] = [];
  const slow = Array.from({ length: 4 }, () =>
    search('(a+)+$b', { regex: true })
      .catch(() => undefined)
      .then(() => answered.push('slow')),
  );
  await watcher.request('environment/status');
  const { hits } = await operator.request<SearchResult>('console/search', { query: 'aaa' });
  answered.push('quick');
  expect(hits).toHaveLength(1);
  await Promise.all(slow);
  expect(answered.indexOf('quick')).toBeLessThan(2);
});
