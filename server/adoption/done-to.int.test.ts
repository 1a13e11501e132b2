// Tests of acts on a process before its gateway was killed: the next gateway shows and continues them. Uses the
// built programs.
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditResult } from '../../protocol/audit.ts';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
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
    env: { PATH },
    tty: false,
    ...more,
  });
  return String(key);
}

async function shown(client: TestClient, key: string): Promise<ProcessInfo | undefined> {
  const { processes } = (await client.request('console/watch', {})) as unknown as WatchResult;
  return processes.find((info) => info.key === key);
}

/** A program that prints a line for each SIGTERM and continues. */
const STUBBORN = `exec perl -e '$| = 1; $SIG{TERM} = sub { print "TERM\n" }; print "ready\n"; sleep 1 while 1'`;

async function output(client: TestClient, key: string): Promise<string> {
  const read = await client.request('process/read', { key, afterSeq: 0 });
  return (read['chunks'] as readonly { chunk: string }[])
    .map(({ chunk }) => Buffer.from(chunk, 'base64').toString())
    .join('');
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('A termination whose gateway is killed', () => {
  it('[KP14] ends the process on time in the next gateway, without a second SIGTERM, and is listed', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, STUBBORN, { session: 'console' });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('ready');
    await client.request('process/terminate', { key, graceMs: 6000 });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('TERM');
    const before = await shown(client, key);
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    const later = await gateway.client();
    const { terminatingSinceMs, killAtMs, acts } = before ?? {};
    expect(killAtMs).toBeGreaterThan(0);
    expect(await shown(later, key)).toMatchObject({ state: 'running', terminatingSinceMs, killAtMs, acts });
    await expect.poll(async () => (await shown(later, key))?.state, { timeout: 15_000 }).toBe('closed');
    const info = await shown(later, key);
    expect(info?.exitedAtMs).toBeGreaterThanOrEqual(killAtMs ?? Infinity);
    expect(info?.exitedAtMs).toBeLessThan((killAtMs ?? 0) + 3000);
    expect(info).toMatchObject({ signal: 'SIGKILL', endedBy: { who: acts?.[0]?.who, how: 'terminate' } });
    expect(await output(later, key)).toBe('ready\nTERM\n');
  });

  it('[KP14] ends the process on time without a gateway, and the next one shows who requested it', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const key = await start(client, STUBBORN, { session: 'console' });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('ready');
    await client.request('process/terminate', { key, graceMs: 1500 });
    const { pid = 0, killAtMs } = (await shown(client, key)) ?? {};
    await gateway.end('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
    expect(Date.now()).toBeGreaterThanOrEqual(killAtMs ?? Infinity);
    await expect.poll(async () => (await askKeeper(gateway.stateDir))?.processes).toEqual([]);
    const goneAtMs = Date.now();
    await gateway.startAgain();
    const later = await gateway.client();
    const info = await shown(later, key);
    expect(info).toMatchObject({
      state: 'closed',
      signal: 'SIGKILL',
      endedBy: { how: 'terminate' },
      acts: [{ how: 'terminate' }],
    });
    expect(info?.exitedAtMs).toBeLessThanOrEqual(goneAtMs);
    expect(info?.allEndedAtMs).not.toBeNull();
    expect(await output(later, key)).toBe('ready\nTERM\n');
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    expect(await shown(await gateway.client(), key)).toEqual(info);
  });
});

describe('The next gateway', () => {
  it('[KP14] shows the acts on a process, and the one that ended it while there was no gateway', async () => {
    const gateway = await started();
    const client = await gateway.client();
    const script = 'trap "" INT; echo ready; sleep 1; trap - INT; kill -INT $$';
    const key = await start(client, script, { session: 'console', tty: true });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('ready');
    await client.request('process/signal', { key, signal: 'interrupt' });
    const write = { writeId: 'a', chunk: Buffer.from('one\ntwo\n').toString('base64') };
    await client.request('process/write', { key, ...write });
    const { pid = 0, acts, lastInput } = (await shown(client, key)) ?? {};
    expect(acts).toHaveLength(1);
    await gateway.end('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
    await gateway.startAgain();
    const info = await shown(await gateway.client(), key);
    expect(info).toMatchObject({ acts, endedBy: { how: 'interrupt', who: acts?.[0]?.who } });
    expect(info?.lastInput).toMatchObject({ who: lastInput?.who, session: lastInput?.session });
  });

  it('[KP14] reports once that the keeper ended a process because the gateway was gone', async () => {
    const gateway = await started(['--keep', '0']);
    const client = await gateway.client();
    const key = await start(client, 'sleep 600', { session: 'console' });
    const { pid = 0 } = (await shown(client, key)) ?? {};
    await gateway.end('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
    for (let again = 0; again < 2; again += 1) {
      await gateway.startAgain();
      expect(await shown(await gateway.client(), key)).toMatchObject({
        state: 'closed',
        signal: 'SIGTERM',
        acts: [{ who: 'gateway', how: 'gatewayStopped' }],
        endedBy: { who: 'gateway', how: 'gatewayStopped' },
      });
      await gateway.end('SIGKILL');
    }
    await gateway.startAgain();
  });

  it.each([
    ['the keeper', 'gatewayStopped', 'SIGTERM'],
    ['a person', 'terminate', 'SIGKILL'],
  ])('[KP14] shows that %s ended a process, after the keeper has ended as well', async (_, how, signal) => {
    const gateway = await started(['--keep', how === 'terminate' ? '1h' : '0']);
    const client = await gateway.client();
    const argv = how === 'terminate' ? STUBBORN : 'echo ready; exec sleep 600';
    const key = await start(client, argv, { session: 'console' });
    await expect.poll(async () => (await shown(client, key))?.lastLine).toBe('ready');
    if (how === 'terminate') await client.request('process/terminate', { key, graceMs: 3000 });
    await gateway.end('SIGKILL');
    // The keeper ends by itself when it has had neither a gateway nor a running process for a while.
    await expect.poll(() => gateway.keeperPid(), { timeout: 60_000 }).toBe(null);
    for (let again = 0; again < 2; again += 1) {
      await gateway.startAgain();
      const info = await shown(await gateway.client(), key);
      expect(info).toMatchObject({ state: 'closed', signal, acts: [{ how }], endedBy: { how } });
      await gateway.end('SIGKILL');
    }
    await gateway.startAgain();
  });

  it('[KP6][KP14] shows which processes are pinned; without a gateway they have the longer time limit', async () => {
    const gateway = await started(['--keep', '1h']);
    const client = await gateway.client();
    const pinnedKey = await start(client, 'sleep 600');
    const other = await start(client, 'sleep 600', { processId: 'q' });
    await client.request('process/pin', { key: pinnedKey, pinned: true });
    const { pinnedBy } = (await shown(client, pinnedKey)) ?? {};
    expect(pinnedBy).not.toBeNull();
    for (let kill = 0; kill < 2; kill += 1) {
      await gateway.end('SIGKILL');
      await expect.poll(async () => (await askKeeper(gateway.stateDir))?.aloneSinceMs).not.toBeNull();
      const { aloneSinceMs, processes = [] } = (await askKeeper(gateway.stateDir)) ?? {};
      const times = new Map(
        processes.map(({ key, endsAtMs }) => [key, (endsAtMs ?? 0) - (aloneSinceMs ?? 0)]),
      );
      expect(times.get(pinnedKey)).toBe(3_600_000);
      expect(times.get(other)).toBe(80_000);
      await gateway.startAgain();
      expect(await shown(await gateway.client(), pinnedKey)).toMatchObject({ pinnedBy, state: 'running' });
    }
  });
});

it('[KP11] logs the start of a process in a keeper with its key, and a failed start only as a failure', async () => {
  const gateway = await started();
  const client = await gateway.client();
  const key = await start(client, 'true');
  await expect(start(client, 'true', { processId: 'q', argv: ['/proc/none/file'] })).rejects.toThrow(
    'not found',
  );
  const { entries } = await client.request<AuditResult>('console/audit', {});
  const acts = entries.filter(({ act }) => act === 'start' || act === 'failed');
  expect(acts.map((entry) => [entry.act, entry.key])).toEqual([
    ['failed', null],
    ['start', key],
  ]);
});
