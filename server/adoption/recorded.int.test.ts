// Recordings of processes in a keeper continue at the next gateway. Uses the built programs.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import type { HistoryEntry, HistoryResult } from '../../protocol/history.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import { recordedOutput } from '../testing/recorded-output.ts';
import type { TestClient } from '../testing/test-client.ts';

const run = promisify(execFile);
let gateway: KeeperGateway | null = null;
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
});

async function command(...args: string[]): Promise<string> {
  const main = sharedMain();
  const { stdout } = await run(process.execPath, [main, ...args, '--state-dir', gateway?.stateDir ?? '']);
  return stdout;
}

it.each(['SIGKILL', 'SIGHUP'] as const)(
  '[KP13] a recording has every byte once, and one entry, after %s of the gateway',
  async (signal) => {
    gateway = await KeeperGateway.start(['--sandbox', 'none'], sharedMain());
    const client = await gateway.client();
    const script = 'i=0; while [ $i -lt 400 ]; do echo "line $i"; i=$((i+1)); sleep 0.02; done; exit 3';
    const { key } = await client.request('process/start', {
      processId: 'p',
      session: 'console',
      argv: ['sh', '-c', script],
      cwd: 'file:///tmp',
      env: { PATH: process.env['PATH'] ?? '' },
      tty: false,
    });
    await expect.poll(() => command('logs', String(key)), { interval: 500 }).toContain('line 20\n');
    if (signal === 'SIGKILL') {
      await gateway.end(signal);
      await gateway.startAgain();
    } else await command('restart');
    // Polling with a command would take half a second each time.
    const next = await gateway.client();
    const states = async () => {
      const { processes } = await next.request<HistoryResult>('console/history', {});
      return processes.map(({ state }) => state);
    };
    await expect.poll(states, { timeout: 60_000 }).toEqual(['closed']);
    const entries = async (): Promise<readonly HistoryEntry[]> =>
      JSON.parse(await command('history', '--json')) as readonly HistoryEntry[];
    const [entry] = await entries();
    expect([entry?.key, entry?.exitCode]).toEqual([key, 3]);
    // A new gateway has none of the output in memory, so `logs` prints the recording.
    await gateway.end('SIGTERM');
    await gateway.startAgain();
    const all = Array.from({ length: 400 }, (_, at) => `line ${at}\n`).join('');
    expect(await command('logs', String(key))).toBe(all);
    expect(await entries()).toHaveLength(1);
  },
);

it.each([10, 20_000])(
  '[KP13] a process that has printed %i lines and ended before its gateway was killed has one entry',
  async (lines) => {
    gateway = await KeeperGateway.start([], sharedMain());
    const client = await gateway.client();
    const { key } = await client.start(['seq', '1', String(lines)], { session: 'console' });
    await client.request('process/wait', { key, until: 'closed', waitMs: 30_000 });
    const entries = async (of: TestClient): Promise<readonly string[]> => {
      const { processes } = await of.request<HistoryResult>('console/history', {});
      return processes.map((entry) => entry.key);
    };
    expect(await entries(client)).toEqual([key]);
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    expect(await entries(await gateway.client())).toEqual([key]);
    await gateway.end('SIGTERM');
    await gateway.startAgain();
    expect(await entries(await gateway.client())).toEqual([key]);
    const all = Array.from({ length: lines }, (_, at) => `${at + 1}\n`).join('');
    expect(await command('logs', key)).toBe(all);
  },
);

it('[KP13] a process that ended without a gateway is closed, and recorded to its end, even after its keeper has ended', async () => {
  gateway = await KeeperGateway.start([], sharedMain());
  const client = await gateway.client();
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  const script = 'echo first; until [ -e "$0/go" ]; do sleep 0.05; done; echo second; exit 3';
  const { key } = await client.start(['sh', '-c', script, folder], { session: 'console' });
  const isRecorded = async (): Promise<boolean> => {
    const { processes } = await client.request<HistoryResult>('console/history', { key });
    return (processes[0]?.recordedBytes ?? 0) > 0;
  };
  await expect.poll(isRecorded).toBe(true);
  await gateway.end('SIGKILL');
  writeFileSync(join(folder, 'go'), '');
  // The keeper ends by itself when it has had neither a gateway nor a running process for a while.
  await expect.poll(() => gateway?.keeperPid(), { timeout: 60_000 }).toBe(null);
  await gateway.startAgain();
  const next = await gateway.client();
  const entry = async (): Promise<HistoryEntry | undefined> => {
    const { processes } = await next.request<HistoryResult>('console/history', { key });
    return processes[0];
  };
  await expect.poll(entry).toMatchObject({ state: 'closed', exitCode: 3 });
  expect(await recordedOutput(next, key)).toEqual({ text: 'first\nsecond\n', missed: 0 });
});

it('[KP13] a recording has every byte when its gateway is killed after much output', async () => {
  gateway = await KeeperGateway.start([], sharedMain());
  const client = await gateway.client();
  const stopFile = join(mkdtempSync(join(tmpdir(), 'exec-console-test-')), 'stop');
  // Each process prints 47 MB at once, more than may wait for recording, and then 1000 lines every 5 ms.
  const script =
    `$| = 1; my $n = 0; while ($n < 6e6) { print join "", map { $n++ . "\\n" } 1..1000 } ` +
    `until (-e $ARGV[0]) { print join "", map { $n++ . "\\n" } 1..1000; select undef, undef, undef, 0.005 }`;
  const argv = ['perl', '-e', script, stopFile];
  const starts = [1, 2].map(() => client.start(argv));
  const keys = (await Promise.all(starts)).map(({ key }) => key);
  const arePast = async (bytes: number): Promise<boolean> => {
    const { processes } = await client.request<HistoryResult>('console/history', {});
    return processes.every(({ recordedBytes }) => recordedBytes > bytes);
  };
  await expect.poll(() => arePast(46_888_890), { timeout: 60_000, interval: 200 }).toBe(true);
  await gateway.end('SIGKILL');
  await gateway.startAgain();
  const next = await gateway.client(client.sessionId);
  writeFileSync(stopFile, '');
  for (const key of keys) {
    await next.request('process/wait', { key, until: 'closed', waitMs: 60_000 });
    const { text, missed } = await recordedOutput(next, key);
    const lines = Number(/(\d+)\n$/.exec(text)?.[1]) + 1;
    expect([missed, lines > 6e6]).toEqual([0, true]);
    expect(text === Array.from({ length: lines }, (_, at) => `${at}\n`).join('')).toBe(true);
    // The next gateway does not record all of the output a second time.
    const { processes } = await next.request<HistoryResult>('console/history', { key });
    expect(processes[0]?.recordedBytes).toBeLessThan(1.2 * text.length);
  }
});
