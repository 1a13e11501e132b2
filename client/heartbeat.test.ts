// The heartbeat, which detects within seconds that the gateway has stopped answering, without false alarms.
import { expect, it } from 'vitest';
import { Heartbeat } from './heartbeat.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';

function start() {
  const runtime = new ManualRuntime();
  const reported: (number | null)[] = [];
  const other = { answers: true, asked: 0 };
  const heartbeat = new Heartbeat(runtime, {
    ask: () => {
      other.asked += 1;
      if (other.answers) runtime.after(20, () => heartbeat.heard());
      return true;
    },
    silent: (sinceMs) => reported.push(sinceMs),
  });
  heartbeat.start();
  return { runtime, reported, other, heartbeat };
}

it('A heartbeat reports a silence once, within 4 s and with its start time, and then its end', async () => {
  const { runtime, reported, other, heartbeat } = start();
  await runtime.advance(10_000);
  expect(reported).toEqual([]);
  other.answers = false;
  heartbeat.heard();
  const heardAtMs = runtime.now();
  await runtime.advance(4000);
  expect(reported).toEqual([heardAtMs]);
  await runtime.advance(5000);
  expect(reported).toHaveLength(1);
  heartbeat.heard();
  expect(reported).toEqual([heardAtMs, null]);
});

it('A heartbeat sends no request to an end that keeps sending', async () => {
  const { runtime, other, heartbeat } = start();
  for (let beats = 0; beats < 20; beats += 1) {
    await runtime.advance(500);
    heartbeat.heard();
  }
  expect(other.asked).toBe(0);
});

it('A heartbeat sends at most one request per second while idle', async () => {
  const { runtime, other } = start();
  await runtime.advance(60_000);
  expect(other.asked).toBeLessThanOrEqual(60);
  expect(other.asked).toBeGreaterThan(20);
});

it.each([5000, 3_600_000])(
  'A heartbeat reports no silence for the %i ms during which its own process was stopped',
  async (ms) => {
    const { runtime, reported, other, heartbeat } = start();
    other.answers = false;
    await runtime.advance(2000);
    runtime.sleep(ms);
    await runtime.advance(10);
    heartbeat.heard();
    expect(reported).toEqual([]);
  },
);

it('A heartbeat that is stopped has no timer, and reports the end of the silence', async () => {
  const { runtime, reported, other, heartbeat } = start();
  other.answers = false;
  await runtime.advance(5000);
  expect(reported).toHaveLength(1);
  heartbeat.stop();
  expect(reported.at(-1)).toBeNull();
  expect(runtime.timerCount).toBe(0);
});
