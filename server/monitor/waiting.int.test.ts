// Tests of real programs on real terminals that are waiting for input, and of some that only seem to be.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { latest } from '../testing/latest-info.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
beforeAll(async () => {
  server = await TestServer.start({ waitingQuietMs: 150, waitingLookMs: 50, waitingAgainMs: 100 });
  agent = await server.client('agent');
  operator = await server.client('operator');
  await operator.request<WatchResult>('console/watch');
});
afterAll(() => server.stop());

const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm-256color', PS1: '$ ' };
const start = (argv: string[]) => agent.start(argv, { tty: true, env });
const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const infoOf = (key: string): ProcessInfo | undefined => latest(operator, key);
const waits = (key: string, expected: boolean): Promise<unknown> =>
  vi.waitFor(() => expect(infoOf(key)?.waitsForInput).toBe(expected), { timeout: 5000, interval: 20 });

describe('[WA1] These are waiting for input:', () => {
  it.each([
    ['a program that reads', ['/bin/cat']],
    ['a question of a script', sh('printf "Go on? "; read answer')],
    ['a program in select', ['python3', '-c', 'import select, sys; select.select([sys.stdin], [], [])']],
    ['a program in poll', ['python3', '-c', 'import select; p = select.poll(); p.register(0, 1); p.poll()']],
    ['an event loop that listens to its stdin', [process.execPath, '-e', 'process.stdin.resume()']],
    ['a question of a script that comes through a pipe', sh('echo "read answer < /dev/tty" | bash')],
    ['a question of a grandchild', sh('sh -c "read answer"; true')],
  ])('%s', async (_, argv) => {
    const { key, processId } = await start(argv);
    await waits(key, true);
    await agent.request('process/terminate', { processId });
  });

  it('a question only until it is answered', async () => {
    const { key, processId } = await start(sh('read answer; echo thanks; exec sleep 1000'));
    await waits(key, true);
    await agent.write({ processId }, 'yes\n');
    await waits(key, false);
    await agent.request('process/terminate', { processId });
  });
});

it('[WA1] a brief watcher is notified when a process is no longer waiting for input', async () => {
  const page = await server.client('operator');
  await page.request<WatchResult>('console/watch', { isBrief: true });
  const { key, processId } = await start(sh('read answer; echo thanks; exec sleep 1000'));
  const reported = (expected: boolean): Promise<unknown> =>
    vi.waitFor(() => expect(latest(page, key)?.waitsForInput).toBe(expected), { timeout: 5000 });
  await reported(true);
  await agent.write({ processId }, 'yes\n');
  await reported(false);
  await agent.request('process/terminate', { processId });
});

describe('[WA1] [WA2] [WA3] These are not waiting for input:', () => {
  it.each([
    ['a program that sleeps', ['/bin/sleep', '1000']],
    ['a server that does not read its terminal', [process.execPath, '-e', 'setInterval(() => {}, 1e6)']],
    ['a program that works', sh('while :; do :; done')],
    ['a program that prints', sh('while :; do echo .; sleep 0.02; done')],
    ['a shell at its prompt', ['/bin/bash', '--norc', '--noprofile']],
    ['a shell inside another one', sh('bash --norc -i; true')],
    ['a full-screen program', sh(`printf '\\033[?1049h'; read x`)],
    ['a job in the background', ['/bin/bash', '-c', 'set -m; cat & exec sleep 1000']],
  ])('%s', async (_, argv) => {
    const beside = await start(['/bin/cat']);
    const { key, processId } = await start(argv);
    // Two other terminals, one started earlier and one later, are reported as waiting; by then, this one has been
    // checked, too.
    await waits(beside.key, true);
    const after = await start(['/bin/cat']);
    await waits(after.key, true);
    expect(infoOf(key)?.waitsForInput).toBe(false);
    for (const each of [beside.processId, processId, after.processId]) {
      await agent.request('process/terminate', { processId: each });
    }
  });
});

it('[WA4] waiting for input is detected only after the first watcher has connected', async () => {
  const fresh = await TestServer.start({ waitingQuietMs: 100, waitingLookMs: 20, waitingAgainMs: 50 });
  try {
    const early = await fresh.client('agent');
    const { key, processId } = await early.start(['/bin/cat'], { tty: true, env });
    // The read waits long enough for a detection.
    await early.request('process/read', { processId, waitMs: 600 });
    const observer = await fresh.client('observer');
    const { processes } = await observer.request<WatchResult>('console/watch');
    expect(processes.find((info) => info.key === key)?.waitsForInput).toBe(false);
    await vi.waitFor(() => expect(latest(observer, key)?.waitsForInput).toBe(true), {
      timeout: 5000,
      interval: 20,
    });
  } finally {
    await fresh.stop();
  }
});

it('[WA4] a process that was idle long before the first watcher is detected as soon as any other', async () => {
  const fresh = await TestServer.start({ waitingQuietMs: 100, waitingLookMs: 20, waitingAgainMs: 600_000 });
  try {
    const early = await fresh.client('agent');
    const { key, processId } = await early.start(['/bin/cat'], { tty: true, env });
    // The read waits longer than the phase of frequent checks after a process becomes idle.
    await early.request('process/read', { processId, waitMs: 600 });
    const observer = await fresh.client('observer');
    await observer.request<WatchResult>('console/watch');
    await vi.waitFor(() => expect(latest(observer, key)?.waitsForInput).toBe(true), {
      timeout: 20_000,
      interval: 20,
    });
  } finally {
    await fresh.stop();
  }
});
