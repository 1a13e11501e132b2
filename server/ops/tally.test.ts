// Tests of the counters of requests and processes.
import { expect, it } from 'vitest';
import { methodNotFound } from '../rpc/rpc-error.ts';
import { DEFAULT_LIMITS } from '../config.ts';
import { Backlog } from '../rpc/backlog.ts';
import { Connection } from '../rpc/connection.ts';
import { ChannelPair } from '../testing/channel-pair.ts';
import { BUCKETS_MS, Tally } from './tally.ts';

it('[MT1] Tally counts a request once, in the bucket of its duration, by method and outcome', () => {
  const tally = new Tally();
  for (const ms of [0, 0.1, 0.11, 9_999, 10_000, 1e9]) tally.answered('process/read', 'ok', ms);
  tally.answered('process/read', 'error', 1);
  expect(tally.timings).toEqual([
    { method: 'process/read', outcome: 'ok', counts: [2, 1, 0, 0, 0, 0, 0, 2, 1], sumMs: 1_000_019_999.21 },
    expect.objectContaining({ outcome: 'error', counts: [0, 0, 1, 0, 0, 0, 0, 0, 0] }),
  ]);
  expect(BUCKETS_MS).toHaveLength(8);
});

it('[MT2] Tally has no label that a client could choose', () => {
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

it('[MT1] Tally times requests that are answered immediately, later or with an error', async () => {
  const tally = new Tally();
  const answers: Record<string, () => unknown> = {
    'process/read': () => 1,
    'process/wait': () => Promise.resolve(2),
    'process/write': () => Promise.reject(new Error('no')),
    'process/start': () => {
      throw methodNotFound('no');
    },
  };
  const channel = new ChannelPair();
  const connection = new Connection(channel, DEFAULT_LIMITS, new Backlog(DEFAULT_LIMITS), () => {});
  connection.serve(
    {
      request: (method) => answers[method]?.(),
      notification: () => {},
      malformed: () => {},
      closed: () => {},
    },
    (method, outcome, ms) => tally.answered(method, outcome, ms),
  );
  for (const [id, method] of Object.keys(answers).entries()) channel.push({ id, method });
  await new Promise((resolve) => setImmediate(resolve));
  expect(channel.received.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    0, 1, 2, 3,
  ]);
  expect(tally.timings.map(({ method, outcome }) => `${method} ${outcome}`).toSorted()).toEqual([
    'process/read ok',
    'process/start error',
    'process/wait ok',
    'process/write error',
  ]);
});

it('[MT1] Tally distinguishes success, failure and signals', () => {
  const tally = new Tally();
  tally.ended(0, null);
  tally.ended(3, null);
  tally.ended(143, 'SIGTERM');
  expect(tally.finished).toEqual({ success: 1, failure: 1, signal: 1 });
});
