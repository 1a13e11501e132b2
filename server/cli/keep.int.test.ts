// exec-console keep restarts a killed gateway with its port and its processes. Uses the built programs.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findLocalGateway, type LocalGateway } from '../policy/local-gateway.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
import { sharedProduct } from '../testing/command-line.ts';
import { TestClient } from '../testing/test-client.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

async function startKeep(
  ...flags: string[]
): Promise<{ stateDir: string; keep: ChildProcess; printed: () => string }> {
  const main = join(sharedProduct(), 'dist/server/main.js');
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-keep-'));
  const stateDir = join(folder, 'state');
  const argv = [main, 'keep', '--listen', 'ws://127.0.0.1:0', '--state-dir', stateDir, ...flags];
  const keep = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  keep.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  undo.push(async () => {
    if (keep.exitCode === null && keep.signalCode === null) {
      keep.kill('SIGTERM');
      await once(keep, 'exit');
    }
    await expect.poll(() => askKeeper(stateDir)).toBeNull();
    rmSync(folder, { recursive: true, force: true });
  });
  return { stateDir, keep, printed: () => printed };
}

async function gatewayAfter(stateDir: string, before?: LocalGateway): Promise<LocalGateway> {
  const announced = (): number | undefined => (findLocalGateway(stateDir) ?? before)?.announcedAtMs;
  await expect.poll(announced, { timeout: 30_000 }).not.toBe(before?.announcedAtMs);
  const there = findLocalGateway(stateDir);
  if (!there) throw new Error('invariant violation: no gateway');
  return there;
}

describe('exec-console keep', () => {
  it('[KP16] restarts a killed gateway on the same port and with its processes', async () => {
    const { stateDir, keep, printed } = await startKeep();
    const first = await gatewayAfter(stateDir);
    const client = await TestClient.open(first.url, { token: first.token });
    await client.initialize();
    const { key } = await client.request('process/start', {
      processId: 'p',
      session: 'console',
      argv: ['sleep', '600'],
      cwd: 'file:///tmp',
      env: {},
      tty: false,
    });
    process.kill(first.pid, 'SIGKILL');
    const second = await gatewayAfter(stateDir, first);
    expect(second.url).toBe(first.url);
    const later = await TestClient.open(second.url, { token: second.token });
    await later.initialize();
    expect(await later.request('console/watch', {})).toMatchObject({
      processes: [{ key, state: 'running' }],
    });
    expect(printed()).toContain('the gateway was killed by SIGKILL; restarting it in 0.2 s');
    expect(printed()).toContain('took over processes: 1 running');
    const gone = once(keep, 'exit');
    keep.kill('SIGTERM');
    expect(await gone).toEqual([0, null]);
    expect(await askKeeper(stateDir)).toBeNull();
  });

  it('[CL8] a command continues where it was at the next gateway, after each of two kills', async () => {
    const { stateDir } = await startKeep();
    let before = await gatewayAfter(stateDir);
    const main = join(sharedProduct(), 'dist/server/main.js');
    const script = 'for n in 1 2 3; do echo "line $n"; read go; done; exit 7';
    const argv = [main, 'run', '--state-dir', stateDir, '--', 'sh', '-c', script];
    const run = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'ignore'] });
    let printed = '';
    run.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    const ended = once(run, 'exit');
    for (const line of ['line 1\n', 'line 1\nline 2\n']) {
      await expect.poll(() => printed, { timeout: 30_000 }).toBe(line);
      process.kill(before.pid, 'SIGKILL');
      before = await gatewayAfter(stateDir, before);
      run.stdin.write('go\n');
    }
    await expect.poll(() => printed, { timeout: 30_000 }).toBe('line 1\nline 2\nline 3\n');
    run.stdin.end('go\n');
    expect(await ended).toEqual([7, null]);
  });

  it.each(['on', 'auto'])('[KP16] starts a gateway with --keeper %s', async (choice) => {
    const { stateDir } = await startKeep('--keeper', choice);
    await gatewayAfter(stateDir);
    await expect.poll(() => askKeeper(stateDir)).not.toBeNull();
  });

  it('[KP16] ends at once when the gateway cannot start at all', async () => {
    const { keep } = await startKeep('--host', '192.0.2.1');
    expect((await once(keep, 'exit'))[0]).not.toBe(0);
  });
});
