// Checks whether the last bytes of programs that print and exit immediately arrive; a terminal discards them unless
// they are read quickly.
import { Client, within } from '../rig/client.ts';
import type { Measure, Options } from '../rig/measure.ts';

const SIZES = [800, 16_000, 256_000];
const RUNS = 300;

export const tails: Measure = {
  name: 'tails',
  about: 'a terminal’s program that prints and ends at once: the number of runs whose last output is missing',
  servers: 'all',
  async run(subject, options) {
    const client = await Client.open(subject);
    const figures: Record<string, number> = {};
    for (const size of SIZES) figures[`${size} bytes: % of runs cut`] = await shareCut(client, size, options);
    client.close();
    return figures;
  },
};

async function shareCut(client: Client, size: number, { operations }: Options): Promise<number> {
  const runs = Math.min(RUNS, operations);
  let cut = 0;
  for (let run = 0; run < runs; run += 1) {
    const process = await client.start(['head', '-c', String(size), '/dev/zero'], { tty: true });
    await within(process.closed, 'the end of a short program');
    if (process.bytes < size) cut += 1;
  }
  return (cut / runs) * 100;
}
