// Measures the reply to `console/watch`, which contains the whole list of processes: size and latency.
import { Client } from './client.ts';
import type { Figures, Subject } from './measure.ts';
import { median } from './statistics.ts';

const TIMES = 5;

export async function firstList(subject: Subject, what: string): Promise<Figures> {
  const tookMs: number[] = [];
  let bytes = 0;
  for (let time = 0; time < TIMES; time += 1) {
    const client = await Client.open(subject);
    const before = performance.now();
    await client.request('console/watch', {});
    tookMs.push(performance.now() - before);
    bytes = client.answerBytes;
    client.close();
  }
  return { [`${what}: first list, ms`]: median(tookMs), [`${what}: first list, KB`]: bytes / 1000 };
}
