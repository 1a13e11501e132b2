// Measures typing over a slow link during a flood: output queued for the client delays the echo of each keystroke.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { FLOOD, startEcho } from '../rig/programs.ts';
import { SlowLink } from '../rig/slow-link.ts';
import { percentile } from '../rig/statistics.ts';

const BYTES_PER_SECOND = 12e6;
/** Time in which the flood fills all buffers. */
const SETTLE_MS = 2000;
const PAUSE_MS = 3;

export const link: Measure = {
  name: 'link',
  about: 'echo of a terminal while a pipe floods the same connection, over a link of 12 MB/s',
  servers: 'all',
  run: measureLink,
};

async function measureLink(subject: Subject, { operations, seconds }: Options): Promise<Figures> {
  const slow = await SlowLink.before(subject.url, BYTES_PER_SECOND);
  const client = await Client.open({ ...subject, url: slow.url });
  const echo = await startEcho(client);
  const flood = await client.start(FLOOD);
  await sleep(SETTLE_MS);
  const [bytesBefore, before] = [flood.bytes, performance.now()];
  const delays: number[] = [];
  while (delays.length < operations && performance.now() - before < seconds * 1000) {
    delays.push(await echo());
    await sleep(PAUSE_MS);
  }
  const passedSeconds = (performance.now() - before) / 1000;
  const figures = {
    'echo p50, ms': percentile(delays, 0.5),
    'echo p99, ms': percentile(delays, 0.99),
    'flood, MB/s': (flood.bytes - bytesBefore) / 1e6 / passedSeconds,
    operations: delays.length,
  };
  client.close();
  slow.close();
  return figures;
}
