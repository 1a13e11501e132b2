// Tests of gateways with a keeper that end or are replaced: which processes end or continue, and how that is
// shown. Uses the built programs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { WatchResult } from '../../protocol/console.ts';
import { runFolder, socketPath } from '../keeper/wire/place.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { sharedMain } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import type { TestClient } from '../testing/test-client.ts';

const PATH = process.env['PATH'] ?? '';

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

async function started(flags: readonly string[] = []): Promise<KeeperGateway> {
  const gateway = await KeeperGateway.start(flags, sharedMain());
  gateways.push(gateway);
  return gateway;
}

async function start(client: TestClient, script: string, more: object = {}): Promise<string> {
  const { key } = await client.request('process/start', {
    processId: 'p',
    argv: ['sh', '-c', script],
    cwd: 'file:///tmp',
    env: { PATH, SECRET_OF_TEST: 'in-the-environment' },
    tty: false,
    ...more,
  });
  return String(key);
}

async function shown(client: TestClient, key: string): Promise<WatchResult['processes'][number] | undefined> {
  const { processes } = (await client.request('console/watch', {})) as unknown as WatchResult;
  return processes.find((info) => info.key === key);
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

const pidOf = async (client: TestClient, key: string): Promise<number> =>
  (await shown(client, key))?.pid ?? 0;

async function command(gateway: KeeperGateway, ...args: string[]): Promise<string> {
  const main = sharedMain();
  return execFileSync(process.execPath, [main, ...args, '--state-dir', gateway.stateDir], {
    encoding: 'utf8',
  });
}

describe('A gateway with a keeper', () => {
  it('[KP5] ends everything on SIGTERM, and leaves no keeper and nothing to take over', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const pid = await pidOf(client, await start(client, 'sleep 600', { session: 'console' }));
    expect(isAlive(pid)).toBe(true);
    // The out-of-memory killer chooses this process before the keeper.
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('300\n');
    await gateway.end('SIGTERM');
    expect(isAlive(pid)).toBe(false);
    await expect.poll(() => gateway.keeperPid()).toBeNull();
    expect(() => statSync(runFolder(gateway.stateDir))).toThrow('ENOENT');
  });

  it('[KP5][KP12] is replaced by a restart and by SIGHUP, with the same pid, port and processes', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'sleep 600', { session: 'console' });
    const pid = await pidOf(client, key);
    const before = findLocalGateway(gateway.stateDir);
    expect(await command(gateway, 'restart')).toContain('The gateway was restarted');
    expect(findLocalGateway(gateway.stateDir)).toMatchObject({ url: before?.url, pid: before?.pid });
    expect(await shown(await gateway.client(), key)).toMatchObject({ pid, state: 'running' });
    const announced = (): number | undefined => findLocalGateway(gateway.stateDir)?.announcedAtMs;
    const atMs = announced();
    gateway.process.kill('SIGHUP');
    await expect.poll(() => announced() ?? atMs).not.toBe(atMs);
    expect(await shown(await gateway.client(), key)).toMatchObject({ pid, state: 'running' });
    expect(await command(gateway, 'keeper', 'status')).toContain(`${key}  PID ${pid}`);
  });

  it('[KP2][KP17] is displaced by a later one with its state folder, and leaves it the processes', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'sleep 600', { session: 'console' });
    const pid = await pidOf(client, key);
    const former = gateway.process;
    const gone = new Promise<number | null>((resolve) => former.once('exit', resolve));
    await gateway.startAgain();
    expect(await gone).toBe(0);
    expect(gateway.log).toContain('Another gateway with this state folder has taken over');
    expect(gateway.log).toContain(`took over processes: 1 running, 0 finished; still running: sh -c`);
    expect(await shown(await gateway.client(), key)).toMatchObject({ pid, state: 'running' });
  });

  it('[KP17] reports when started without a keeper that one still has running processes', async () => {
    const gateway = await started();
    const client = await gateway.client();
    await start(client, 'sleep 600', { session: 'console' });
    await gateway.end('SIGKILL');
    await gateway.startAgain('off');
    expect(gateway.log).toContain('The keeper of this state folder still runs 1 process that');
    await gateway.end('SIGTERM');
    await gateway.startAgain();
    expect(gateway.log).toContain('(PID ');
  });

  it('[KP6] has its processes ended by the keeper when no gateway returns, each after its time limit', async () => {
    const gateway = await started(['--keep', '1s']);
    const client = await gateway.client();
    const person = await pidOf(client, await start(client, 'sleep 600', { session: 'console' }));
    const agents = await pidOf(client, await start(client, 'sleep 600', { processId: 'q' }));
    await gateway.end('SIGKILL');
    await expect.poll(() => isAlive(person), { timeout: 20_000 }).toBe(false);
    expect(isAlive(agents)).toBe(true);
    const status = await askKeeper(gateway.stateDir);
    const ends = status?.processes.find(({ pid }) => pid === agents)?.endsAtMs ?? 0;
    expect(ends - (status?.aloneSinceMs ?? 0)).toBe(80_000);
    expect(await command(gateway, 'keeper', 'stop')).toContain('have ended');
    expect(isAlive(agents)).toBe(false);
    await gateway.startAgain();
  });

  it('[KP7] shows processes of a killed keeper as lost, and starts new processes in another one', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'echo before; sleep 600', { session: 'console', tty: true });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('before');
    process.kill(gateway.keeperPid() ?? 0, 'SIGKILL');
    await expect.poll(async () => (await shown(client, key))?.state).toBe('lost');
    const health = async (): Promise<string> =>
      JSON.stringify((await client.request('console/watch', {}))['gateway']);
    expect(await health()).toContain('The keeper has died');
    const next = await start(client, 'sleep 600', { processId: 'q', session: 'console' });
    expect(await health()).not.toContain('has died');
    expect(await shown(client, next)).toMatchObject({ state: 'running' });
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const later = await gateway.client();
    expect(await shown(later, key)).toMatchObject({ state: 'lost', lastLine: 'before' });
    expect(await shown(later, next)).toMatchObject({ state: 'running' });
  });

  it('[KP8][KP9] has a socket for its own user only, and writes no environment, no id and no input', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const { sessionId } = client;
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    await start(client, 'cat >/dev/null', { pipeStdin: true });
    const typed = Buffer.from('typed by a person').toString('base64');
    await client.request('process/write', { processId: 'p', writeId: 'w1', chunk: typed });
    expect(statSync(socketPath(gateway.stateDir)).mode & 0o777).toBe(0o600);
    const folder = runFolder(gateway.stateDir);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['notes.jsonl', 'sessions.jsonl', '00000001.xcr']));
    const all = files.map((each) => readFileSync(join(each.parentPath, each.name), 'latin1')).join('');
    expect(all).toContain('w1');
    for (const secret of ['in-the-environment', 'typed by', typed, sessionId])
      expect(all.includes(secret), secret).toBe(false);
  });

  it('[KP10] takes over the readable part of notes that were truncated anywhere', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, 'for i in 1 2 3; do echo $i; sleep 0.05; done; sleep 600', {
      session: 'console',
    });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('3');
    const pid = await pidOf(client, key);
    const folder = join(runFolder(gateway.stateDir), key);
    for (const name of ['seq.idx', 'notes.jsonl', 'seq.idx', 'notes.jsonl']) {
      await gateway.end('SIGKILL');
      const path = join(folder, name);
      truncateSync(path, Math.floor(statSync(path).size * 0.6));
      await gateway.startAgain();
      const later = await gateway.client();
      expect(await shown(later, key)).toMatchObject({ pid, state: 'running', lastLine: '3', outputBytes: 6 });
    }
  });
});
