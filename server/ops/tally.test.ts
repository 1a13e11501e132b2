// What is counted of requests and processes.
import { expect, it } from 'vitest';
import { methodNotFound } from '../rpc/rpc-error.ts';
import { BUCKETS_MS, Tally, timed } from './tally.ts';

it('[MT1] counts a request once, in the class of its time, by method and outcome', () => {
  const tally = new Tally();
  for (const ms of [0, 0.1, 0.11, 9_999, 10_000, 1e9]) tally.answered('process/read', 'ok', ms);
  tally.answered('process/read', 'error', 1);
  expect(tally.timings).toEqual([
    { method: 'process/read', outcome: 'ok', counts: [2, 1, 0, 0, 0, 0, 0, 2, 1], sumMs: 1_000_019_999.21 },
    expect.objectContaining({ outcome: 'error', counts: [0, 0, 1, 0, 0, 0, 0, 0, 0] }),
  ]);
  expect(BUCKETS_MS).toHaveLength(8);
});

it('[MT2] has no label that a client could make up', () => {
  const tally = new Tally();
  for (const method of ['process/read', 'a', 'b', '__proto__', 'constructor', 'x'.repeat(1000)]) {
    for (const outcome of ['ok', 'error'] as const) tally.answered(method, outcome, 1);
  }
  expect(tally.timings.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual([
    'process/read ok',
    'other ok',
    'process/read error',
    'other error',
  ]);
});

it('[MT1] passes everything on, and times what is answered at once, later or not at all', async () => {
  const tally = new Tally();
  const answers: Record<string, () => unknown> = {
    'process/read': () => 1,
    'process/wait': () => Promise.resolve(2),
    'process/write': () => Promise.reject(new Error('no')),
    'process/start': () => {
      throw methodNotFound('no');
    },
  };
  const told: string[] = [];
  const answerer = timed(
    {
      request: (method) => answers[method]?.(),
      notification: (method) => told.push(method),
      malformed: (reason) => told.push(reason),
      closed: () => told.push('closed'),
    },
    tally,
  );
  expect(answerer.request('process/read', {})).toBe(1);
  expect(await answerer.request('process/wait', {})).toBe(2);
  await expect(answerer.request('process/write', {})).rejects.toThrow('no');
  expect(() => answerer.request('process/start', {})).toThrow('no');
  answerer.notification('initialized', {});
  answerer.malformed('why');
  answerer.closed();
  expect(told).toEqual(['initialized', 'why', 'closed']);
  expect(tally.timings.map(({ method, outcome }) => `${method} ${outcome}`).toSorted()).toEqual([
    'process/read ok',
    'process/start error',
    'process/wait ok',
    'process/write error',
  ]);
});

it('[MT1] tells success, failure and signals apart', () => {
  const tally = new Tally();
  tally.ended(0, null);
  tally.ended(3, null);
  tally.ended(143, 'SIGTERM');
  expect(tally.finished).toEqual({ success: 1, failure: 1, signal: 1 });
});
