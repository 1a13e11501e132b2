// A dead connection is detected even when the clock is set back.
import { expect, it } from 'vitest';
import { Heartbeat } from './heartbeat.ts';
import { Liveness, LIVENESS } from './liveness.ts';
import type { Runtime } from './runtime.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';

function start() {
  const manual = new ManualRuntime();
  const clock = { backMs: 0 };
  const runtime: Runtime = {
    now: () => manual.now() - clock.backMs,
    after: (ms, run) => manual.after(ms, run),
    random: () => 0,
  };
  return { manual, clock, runtime };
}

it('A heartbeat reports a silence that began before the clock was set back', async () => {
  const { manual, clock, runtime } = start();
  const reported: (number | null)[] = [];
  const heartbeat = new Heartbeat(runtime, { ask: () => true, silent: (sinceMs) => reported.push(sinceMs) });
  heartbeat.start();
  clock.backMs = 3_600_000;
  await manual.advance(6000);
  expect(reported).toHaveLength(1);
});

it('A connection that died before the clock was set back is found dead', async () => {
  const { manual, clock, runtime } = start();
  let dead = 0;
  const liveness = new Liveness(runtime, LIVENESS, {
    ask: () => true,
    rest: () => undefined,
    dead: () => {
      dead += 1;
    },
    woke: () => undefined,
  });
  liveness.start();
  liveness.heard();
  clock.backMs = 3_600_000;
  await manual.advance(30_000);
  expect(dead).toBe(1);
});
