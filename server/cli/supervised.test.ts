// Restarts of a program that crashes: their delays, their number, and their end.
import { describe, expect, it } from 'vitest';
import { supervised, type Ended } from './supervised.ts';

const CRASH: Ended = { code: null, signal: 'SIGKILL', wasReady: true };

/** Runs a program that ends with these results, each after its `ms`, and then normally. */
async function story(ends: readonly (Ended & { ms?: number })[], stopsAfter = Infinity) {
  const waits: number[] = [];
  const printed: string[] = [];
  let now = 0;
  let runs = 0;
  const code = await supervised({
    run: () => {
      const end = ends[runs] ?? { code: 0, signal: null, wasReady: true };
      runs += 1;
      now += 'ms' in end ? (end.ms ?? 0) : 0;
      return Promise.resolve(end);
    },
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    isStopping: () => runs >= stopsAfter,
    now: () => now,
    report: (sentence) => printed.push(sentence),
  });
  return { code, waits, printed, runs };
}

describe('A supervised gateway', () => {
  it('[KP16] is restarted after a crash, with growing delays', async () => {
    const { code, waits, runs } = await story(Array.from({ length: 8 }, () => CRASH));
    expect({ code, runs }).toEqual({ code: 0, runs: 9 });
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it('[KP16] is not restarted after ten crashes in a row, and the last crash sets the exit code', async () => {
    const crash: Ended = { code: 70, signal: null, wasReady: true };
    const { code, runs, printed } = await story(Array.from({ length: 20 }, () => crash));
    expect({ code, runs }).toEqual({ code: 70, runs: 10 });
    expect(printed.at(-1)).toBe(
      'the gateway exited with code 70 (10 crashes in a row); it will not be restarted',
    );
  });

  it('[KP16] has its crashes counted from zero after it ran for a minute', async () => {
    const { waits, code } = await story([CRASH, CRASH, { ...CRASH, ms: 60_000 }, CRASH]);
    expect(code).toBe(0);
    expect(waits).toEqual([200, 400, 200, 400]);
  });

  it.each([
    ['a wrong command line', 2],
    ['a port that is taken', 1],
  ])('[KP16] is not restarted after %s at its first start', async (_, code) => {
    expect(await story([{ code, signal: null, wasReady: false }])).toMatchObject({
      code,
      runs: 1,
      waits: [],
    });
  });

  it('[KP16] is restarted when it could not start after a crash, as its port may not be free yet', async () => {
    const failed: Ended = { code: 1, signal: null, wasReady: false };
    expect(await story([CRASH, failed, failed])).toMatchObject({ code: 0, runs: 4 });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '[KP16] ends normally when %s stops it while it starts',
    async (signal) => {
      const stopped: Ended = { code: null, signal, wasReady: false };
      expect(await story([stopped], 1)).toMatchObject({ code: 0, runs: 1, waits: [] });
    },
  );

  it('[KP16] is not restarted while it stops', async () => {
    expect(await story([CRASH, CRASH], 1)).toMatchObject({ code: 1, runs: 1, waits: [] });
  });
});
