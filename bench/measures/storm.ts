// Measures a burst on one connection: terminals that print immediately, and requests sent without waiting for
// replies.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Figures, Measure, Subject } from '../rig/measure.ts';
import { ticking } from '../rig/programs.ts';

const REQUESTS = 3000;
const TICK_SECONDS = 0.01;
/** Pause after each burst of starts. */
const REST_MS = 1000;

export const storm: Measure = {
  name: 'storm',
  about: '50 and 200 terminals that print, started at once; 3000 requests in one go',
  servers: 'all',
  async run(subject) {
    return {
      ...(await startAll(subject, 50)),
      ...(await startAll(subject, 200)),
      ...(await askAll(subject)),
    };
  },
};

/** Returns the number of successful starts and, if all succeeded, the time until the last reply. */
async function startAll(subject: Subject, count: number): Promise<Figures> {
  const client = await Client.open(subject);
  const before = performance.now();
  let lastMs = Number.NaN;
  const starts = Array.from({ length: count }, async () => {
    const process = await client.start(ticking(TICK_SECONDS), { tty: true });
    lastMs = performance.now() - before;
    return process;
  });
  const outcomes = await Promise.allSettled(starts);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  // A connection on which a start has failed may hang, so its processes end with their session instead.
  if (started.length === count) await Promise.all(started.map((process) => client.terminate(process)));
  client.close();
  await sleep(REST_MS);
  return {
    ...(started.length === count && { [`start ${count}, ms`]: lastMs }),
    [`started of ${count}`]: started.length,
  };
}

async function askAll(subject: Subject): Promise<Figures> {
  const client = await Client.open(subject);
  const process = await client.start(['cat'], { pipeStdin: true });
  const before = performance.now();
  let lastMs = Number.NaN;
  const writes = Array.from({ length: REQUESTS }, async () => {
    await client.write(process, 'k');
    lastMs = performance.now() - before;
  });
  const answered = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled').length;
  client.close();
  return {
    ...(answered === REQUESTS && { [`answer ${REQUESTS}, ms`]: lastMs }),
    [`answered of ${REQUESTS}`]: answered,
  };
}
