// Measures bulk output: throughput, cost for the server, and completeness.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Subject } from '../rig/measure.ts';
import { LINE } from '../rig/programs.ts';
import { cpuSeconds } from '../rig/readings.ts';

const FILE_LINES = 125_000;
const FILE_BYTES = FILE_LINES * (LINE.length + 1);
/** Number of times the file is printed; fewer for a terminal, which is slower. */
const PRINTED = { tty: 10, pipe: 40 } as const;
const LIMIT_MS = 60_000;

export const bulk: Measure = {
  name: 'bulk',
  about: '100 MB of lines on a terminal, 400 MB through a pipe: speed, CPU of the server, bytes lost',
  servers: 'all',
  async run(subject) {
    const dir = mkdtempSync(join(tmpdir(), 'exec-bench-'));
    const file = join(dir, 'lines');
    writeFileSync(file, `${LINE}\n`.repeat(FILE_LINES));
    try {
      return { ...(await print(subject, file, 'tty')), ...(await print(subject, file, 'pipe')) };
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
};

async function print(subject: Subject, file: string, to: 'tty' | 'pipe'): Promise<Figures> {
  const client = await Client.open(subject);
  const times = PRINTED[to];
  // A terminal adds a carriage return to each line.
  const printed = times * (FILE_BYTES + (to === 'tty' ? FILE_LINES : 0));
  let lastAtMs = Number.NaN;
  const onOutput = (): void => void (lastAtMs = performance.now());
  const [cpuBefore, before] = [cpuSeconds(subject.pid), performance.now()];
  const argv = ['cat', ...Array.from({ length: times }, () => file)];
  const process = await client.start(argv, { tty: to === 'tty', onOutput });
  await within(process.closed, 'the end of much output', LIMIT_MS);
  const cpu = cpuSeconds(subject.pid) - cpuBefore;
  client.close();
  const { bytes } = process;
  return {
    [`${to}: speed, MB/s`]: bytes / 1e3 / (lastAtMs - before),
    [`${to}: CPU of the server per 100 MB, s`]: (cpu * 1e8) / bytes,
    [`${to}: lost, bytes`]: printed - bytes,
  };
}
