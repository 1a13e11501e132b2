// Measures the echo latency of a key on a terminal: on an idle server, and while another process on the connection
// floods.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Figures, Measure, Options } from '../rig/measure.ts';
import { FLOOD, SHORT_LINES, startEcho } from '../rig/programs.ts';
import { percentile } from '../rig/statistics.ts';

/** Pause between keystrokes during a flood. */
const PAUSE_MS = 3;
/** Pause between keystrokes at a person's pace, and their maximum number: enough for meaningful percentiles. */
const TYPING_MS = 120;
const TYPED = 150;
/** Time in which all buffers fill after the start of a flood, or drain after its end. */
const SETTLE_MS = 1000;

export const echo: Measure = {
  name: 'echo',
  about: 'a key and its echo on a terminal: alone, typed, and while a tty or a pipe floods beside it',
  servers: 'all',
  async run(subject, options) {
    const client = await Client.open(subject);
    const strike = await startEcho(client);
    const typed = { ...options, operations: Math.min(TYPED, options.operations) };
    const beside = async (argv: readonly string[], tty: boolean): Promise<number[]> => {
      const flood = await client.start(argv, { tty });
      await sleep(SETTLE_MS);
      const delays = await strikeMany(strike, options, PAUSE_MS);
      await client.terminate(flood);
      await sleep(SETTLE_MS);
      return delays;
    };
    const figures = {
      ...figuresOf('alone', await strikeMany(strike, options, 0)),
      ...figuresOf('typed', await strikeMany(strike, typed, TYPING_MS)),
      ...figuresOf('tty runs yes', await beside(SHORT_LINES, true)),
      ...figuresOf('tty floods', await beside(FLOOD, true)),
      ...figuresOf('pipe floods', await beside(FLOOD, false)),
    };
    client.close();
    return figures;
  },
};

async function strikeMany(
  strike: () => Promise<number>,
  { operations, seconds }: Options,
  pauseMs: number,
): Promise<number[]> {
  const delays: number[] = [];
  const began = performance.now();
  while (delays.length < operations && performance.now() - began < seconds * 1000) {
    delays.push(await strike());
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return delays;
}

const figuresOf = (when: string, delays: readonly number[]): Figures => ({
  [`${when}: p50, ms`]: percentile(delays, 0.5),
  [`${when}: p99, ms`]: percentile(delays, 0.99),
});
