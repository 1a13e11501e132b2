// Measures the start of a gateway that has many recordings: time to its first page and first history, memory, CPU.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Subject } from '../rig/measure.ts';
import { cpuSeconds, restingMemoryMb } from '../rig/readings.ts';

const LIMIT_MS = 1_800_000;
/** Time between the ends of two processes; 100,000 recordings are then 23 days old at most, within the age limit. */
const EVERY_MS = 20_000;
/** Maximum number of catalogue entries written at once. */
const ENTRIES_AT_ONCE = 1000;
/** Time allowed for the background work of the start after the first history. */
const SETTLE_MS = 5000;

/** A finished process: its recording, and its line in the catalogue. */
interface Model {
  readonly path: string;
  readonly entry: { readonly info: object };
}

export const historyStart: Measure = {
  name: 'history-start',
  about: 'start with no, a tenth of and all --recordings (100,000): first page, first history, memory, CPU',
  servers: 'console',
  limitMs: LIMIT_MS,
  async run(subject, { recordings }) {
    const { stateDir } = subject;
    if (stateDir === null) throw new Error('the gateway has no state folder of its own');
    const client = await Client.open(subject);
    const { closed } = await client.start(['echo', 'done']);
    await closed;
    client.close();
    const model = await modelIn(join(stateDir, 'rec'));
    const folder = mkdtempSync(join(tmpdir(), 'exec-bench-history-'));
    try {
      let figures: Figures = {};
      let done = 0;
      for (const count of [0, Math.round(recordings / 10), recordings]) {
        addRecordings(folder, model, done, count);
        done = count;
        figures = { ...figures, ...(await startOf(subject, folder, count)) };
      }
      return figures;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Resolves with the only recording below this folder, once it is in the catalogue. */
async function modelIn(root: string): Promise<Model> {
  for (;;) {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const [catalog, path] = ['catalog.jsonl', '.xcr'].map((end) => names.find((name) => name.endsWith(end)));
    const [line = ''] = catalog === undefined ? [] : readFileSync(join(root, catalog), 'utf8').split('\n', 1);
    if (path !== undefined && line !== '')
      return { path: join(root, path), entry: JSON.parse(line) as Model['entry'] };
    await sleep(10);
  }
}

/** Adds copies of the recording, numbered from `from` to `to - 1`, oldest first. */
function addRecordings(folder: string, { path, entry }: Model, from: number, to: number): void {
  const nowMs = Date.now();
  const lines = new Map<string, string[]>();
  const write = (): void => {
    for (const [month, some] of lines) appendFileSync(join(month, 'catalog.jsonl'), some.join(''));
    lines.clear();
  };
  for (let at = from; at < to; at += 1) {
    const endedAtMs = nowMs - (to - at) * EVERY_MS;
    const month = join(folder, 'rec', new Date(endedAtMs).toISOString().slice(0, 7));
    mkdirSync(month, { recursive: true, mode: 0o700 });
    const key = `bench${String(at).padStart(9, '0')}`;
    copyFileSync(path, join(month, `${key}.xcr`));
    const times = { startedAtMs: endedAtMs, exitedAtMs: endedAtMs, lastOutputAtMs: endedAtMs };
    const line = `${JSON.stringify({ ...entry, info: { ...entry.info, key, ...times }, endedAtMs })}\n`;
    lines.set(month, [...(lines.get(month) ?? []), line]);
    if (at % ENTRIES_AT_ONCE === 0) write();
  }
  write();
}

/**
 * Starts a second gateway with the flags of the measured one, but with this state folder; resolves with the figures of
 * the start.
 */
async function startOf(subject: Subject, stateDir: string, count: number): Promise<Figures> {
  const [file = '', ...flags] = readFileSync(`/proc/${subject.pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const args = flags.map((flag) => (flag.startsWith('--state-dir=') ? `--state-dir=${stateDir}` : flag));
  const beganMs = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = await within(firstLine(child), 'a gateway to print its address');
    await (await fetch(url.replace(/^ws/, 'http'))).text();
    const pageMs = performance.now() - beganMs;
    const pid = child.pid ?? 0;
    const client = await Client.open({ ...subject, url, pid });
    const { processes } = await client.request<{ readonly processes: readonly unknown[] }>(
      'console/history',
      {},
    );
    const historyMs = performance.now() - beganMs;
    if (processes.length !== Math.min(count, 200))
      throw new Error(`the history has ${processes.length} entries`);
    await sleep(SETTLE_MS);
    const figures = {
      [`${count}: first page, ms`]: pageMs,
      [`${count}: first history, ms`]: historyMs,
      [`${count}: gateway CPU, ms`]: cpuSeconds(pid) * 1000,
      [`${count}: memory, MB`]: await restingMemoryMb(pid),
    };
    client.close();
    return figures;
  } finally {
    const gone = once(child, 'exit');
    if (child.kill()) await gone;
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('invariant violation: nothing to read from');
  const [line] = (await once(createInterface(stdout), 'line')) as [string];
  return line;
}
