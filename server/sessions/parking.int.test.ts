// Tests of requests that are parked until a decision: rules PK1 to PK6.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { DEFAULT_LIMITS } from '../config.ts';
import { Gateway } from '../gateway.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { WireClient } from '../testing/wire-client.ts';

/** A parked request, on which the test decides. */
interface Parked {
  readonly method: string;
  readonly params: Record<string, unknown>;
  allow(): void;
  refuse(): void;
}

const REFUSED = -32099;

let folder: string;
let gateway: Gateway;
let parked: Parked[];
let isParked: (method: string, params: Record<string, unknown>) => boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-parking-'));
  parked = [];
  isParked = (method) => method === 'process/start';
  gateway = new Gateway({
    limits: { ...DEFAULT_LIMITS, shutdownGraceMs: 0, pendingRequests: 20 },
    version: 'test',
    sandboxes: new Sandboxes({ stateDir: '/nowhere', floor: 'none', user: null }),
    user: null,
    auditPath: null,
    access: null,
    log: () => {},
    decide: (_peer, method, params) => {
      const members = params as Record<string, unknown>;
      if (!isParked(method, members)) return null;
      return new Promise((resolve, reject) => {
        const refuse = (): void => reject(new RpcError(REFUSED, 'a person declined'));
        parked.push({ method, params: members, allow: resolve, refuse });
      });
    },
  });
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

async function connect(resumeSessionId?: string): Promise<WireClient> {
  const identity = { tokenId: 't', name: 'Olga', role: 'operator', expiresAtMs: null } as const;
  const client = new WireClient(connectInProcess(gateway, identity));
  await client.initialize(resumeSessionId);
  return client;
}

const START = { cwd: 'file:///tmp', env: { PATH: '/usr/bin:/bin' }, tty: false };
/** Returns params of a start whose program prints a line and writes its input to a file named after the process. */
const start = (processId: string, more: object = {}) => ({
  ...START,
  processId,
  argv: ['sh', '-c', `echo runs; exec cat >> ${folder}/${processId}`],
  pipeStdin: true,
  ...more,
});
const write = (processId: string, text: string, writeId: string) => ({
  processId,
  chunk: Buffer.from(text).toString('base64'),
  writeId,
});
const written = (processId: string): string => readFileSync(join(folder, processId), 'utf8');

/** Returns the code of the error, or 0 for a result. */
const codeOf = (reply: Promise<unknown>): Promise<number> =>
  reply.then(
    () => 0,
    ({ code }: { code: number }) => code,
  );

async function processes(client: WireClient): Promise<readonly ProcessInfo[]> {
  const result = await client.request<{ processes: ProcessInfo[] }>('console/watch', {});
  return result.processes;
}

async function ended(client: WireClient, processId: string): Promise<void> {
  await client.request('process/closeStdin', { processId });
  await client.request('process/wait', { processId, waitMs: 10_000 });
}

describe('A parked start', () => {
  it('[PK1] takes effect only when it is allowed', async () => {
    const client = await connect();
    const started = client.request('process/start', start('p'));
    expect(await processes(client)).toEqual([]);
    expect(parked).toMatchObject([{ method: 'process/start', params: { processId: 'p' } }]);
    parked[0]?.allow();
    expect(await started).toMatchObject({ processId: 'p' });
    expect(await processes(client)).toMatchObject([{ processId: 'p', state: 'running' }]);
  });

  it('[PK1] is rejected on arrival, without a decision, when its params are wrong', async () => {
    const client = await connect();
    expect(await codeOf(client.request('process/start', { processId: 'p' }))).toBe(-32602);
    expect(parked).toEqual([]);
  });

  it('[PK1] is answered with the error of a refusal, and leaves its processId free', async () => {
    const client = await connect();
    const started = codeOf(client.request('process/start', start('p')));
    await expect.poll(() => parked.length).toBe(1);
    parked[0]?.refuse();
    expect(await started).toBe(REFUSED);
    isParked = () => false;
    expect(await client.request('process/start', start('p'))).toMatchObject({ processId: 'p' });
  });

  it('[PK2] does not hold up requests about other processes, by id or by key', async () => {
    const client = await connect();
    isParked = (_method, { processId, session }) => processId === 'p' && session === undefined;
    const started = client.request('process/start', start('p'));
    await client.request('process/start', start('other'));
    await client.request('process/write', write('other', 'passes', '1'));
    await ended(client, 'other');
    expect(written('other')).toBe('passes');
    // The same processId in the console's session identifies another process.
    const { key } = await client.request<{ key: string }>(
      'process/start',
      start('p', { session: 'console' }),
    );
    expect(await client.request('process/terminate', { key, graceMs: 0 })).toEqual({ running: true });
    parked[0]?.allow();
    await started;
  });

  it('[PK2] holds back later requests about its own process, and preserves their order', async () => {
    const client = await connect();
    const answered: string[] = [];
    const asked = (['process/start', 'process/write', 'process/write', 'process/read'] as const).map(
      async (method, at) => {
        const params = [
          start('p'),
          write('p', 'one ', '1'),
          write('p', 'two', '2'),
          { processId: 'p', afterSeq: 0, waitMs: 10_000 },
        ][at];
        const result = await client.request(method, params);
        answered.push(`${method} ${at}`);
        return result;
      },
    );
    await client.request('environment/status');
    expect(answered).toEqual([]);
    parked[0]?.allow();
    const [, first, second, page] = await Promise.all(asked);
    expect([first, second]).toEqual([{ status: 'accepted' }, { status: 'accepted' }]);
    expect(page).toMatchObject({ chunks: [{ seq: 1 }] });
    expect(answered.slice(0, 3)).toEqual(['process/start 0', 'process/write 1', 'process/write 2']);
    await ended(client, 'p');
    expect(written('p')).toBe('one two');
  });

  it('[PK2] is refused, and requests behind it are answered as for an unknown process', async () => {
    const client = await connect();
    const started = codeOf(client.request('process/start', start('p')));
    const wrote = client.request('process/write', write('p', 'x', '1'));
    const read = codeOf(client.request('process/read', { processId: 'p' }));
    const terminated = client.request('process/terminate', { processId: 'p' });
    await client.request('environment/status');
    parked[0]?.refuse();
    expect(await started).toBe(REFUSED);
    expect(await wrote).toEqual({ status: 'unknownProcess' });
    expect(await read).toBe(-32600);
    expect(await terminated).toEqual({ running: false });
  });

  it('[PK2] takes effect before a later one of the same processId, whichever is allowed first', async () => {
    const client = await connect();
    const [first, second] = [
      client.request('process/start', start('p')),
      codeOf(client.request('process/start', start('p'))),
    ];
    await client.request('environment/status');
    expect(parked).toHaveLength(2);
    parked[1]?.allow();
    expect(await processes(client)).toEqual([]);
    parked[0]?.allow();
    expect(await first).toMatchObject({ processId: 'p' });
    expect(await second).toBe(-32600);
  });

  it('[PK2] takes effect even when a later one of the same processId was refused before', async () => {
    const client = await connect();
    const first = client.request('process/start', start('p'));
    const second = codeOf(client.request('process/start', start('p')));
    await client.request('environment/status');
    parked[1]?.refuse();
    await client.request('environment/status');
    parked[0]?.allow();
    expect(await first).toMatchObject({ processId: 'p' });
    expect(await second).toBe(REFUSED);
  });

  it('[PK2] gets its number in the first dialect only when it takes effect, and waits behind no other command', async () => {
    const client = await connect();
    const exec = { argv: ['cat'], cwd: '/tmp', env: { PATH: '/usr/bin:/bin' }, tty: true };
    const asked = [1, 2, 3].map(() =>
      client.request('command/exec', exec).then(
        ({ sessionId }) => sessionId,
        ({ code }: { code: number }) => code,
      ),
    );
    await expect.poll(() => parked.length).toBe(3);
    expect(new Set(parked.map(({ params }) => params['processId'])).size).toBe(3);
    parked[2]?.allow();
    expect(await asked[2]).toBe('proc-1');
    parked[1]?.refuse();
    parked[0]?.allow();
    expect(await Promise.all(asked)).toEqual(['proc-2', REFUSED, 'proc-1']);
    // The audit log needs another connection, because this one accepts only command/*.
    const { entries } = await (
      await connect()
    ).request<{ entries: AuditEntry[] }>('console/audit', { act: 'start' });
    expect(new Set(entries.map(({ key }) => key)).size).toBe(2);
  });

  it('[PK4][PK3] is cancelled with its connection, together with the requests behind it', async () => {
    const client = await connect();
    client.send({ id: 'start', method: 'process/start', params: start('p') });
    client.send({ id: 'write', method: 'process/write', params: write('p', 'once', 'w') });
    await client.request('environment/status');
    client.wire.cut();
    parked[0]?.allow();

    const resumed = await connect(client.sessionId);
    expect(await processes(resumed)).toEqual([]);
    const again = resumed.request('process/start', start('p'));
    await expect.poll(() => parked.length).toBe(2);
    parked[0]?.allow();
    expect(await processes(resumed)).toEqual([]);
    parked[1]?.allow();
    await again;
    for (const text of ['once', 'once']) await resumed.request('process/write', write('p', text, 'w'));
    await ended(resumed, 'p');
    expect(written('p')).toBe('once');
  });

  it('[PK4] is cancelled when the gateway stops', async () => {
    const client = await connect();
    client.send({ id: 'start', method: 'process/start', params: start('p') });
    await client.request('environment/status');
    await gateway.close();
    parked[0]?.allow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(gateway.console.directory.all()).toEqual([]);
  });

  it('[PK4] starts no process for a session that expired before the decision', async () => {
    const client = await connect();
    client.send({ id: 'start', method: 'process/start', params: start('p') });
    await client.request('environment/status');
    client.wire.cut();
    for (const session of gateway.console.sessions.all())
      if (!session.isConsole) gateway.console.sessions.end(session);
    parked[0]?.allow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(gateway.console.directory.all()).toEqual([]);
  });

  it('[PK5] is rejected like any other when its processId was taken before the decision', async () => {
    const [client, other] = [await connect(), await connect()];
    const asked = codeOf(client.request('process/start', start('p', { session: 'console' })));
    await client.request('environment/status');
    isParked = () => false;
    const { key } = await other.request('process/start', start('p', { session: 'console' }));
    parked[0]?.allow();
    expect(await asked).toBe(-32600);
    expect((await processes(client)).map((each) => each.key)).toEqual([key]);
  });

  it('[PK6] is recorded in the audit log when it takes effect or is refused', async () => {
    const client = await connect();
    const acts = async (): Promise<readonly (readonly unknown[])[]> => {
      const { entries } = await client.request<{ entries: AuditEntry[] }>('console/audit', {});
      return entries
        .filter(({ act }) => act !== 'connected')
        .map(({ act, key, details }) => [act, key, details?.['reason']])
        .toReversed();
    };
    const [first, second] = [
      client.request('process/start', start('p')),
      codeOf(client.request('process/start', start('q'))),
    ];
    expect(await acts()).toEqual([]);
    parked[1]?.refuse();
    await second;
    expect(await acts()).toEqual([['failed', null, 'a person declined']]);
    parked[0]?.allow();
    const { key } = await first;
    expect(await acts()).toEqual([
      ['failed', null, 'a person declined'],
      ['start', key, undefined],
    ]);
  });

  it('[PK6] counts towards the limit on pending requests of its connection', async () => {
    const client = await connect();
    for (let at = 0; at < 21; at += 1)
      client.send({ id: `s${at}`, method: 'process/start', params: start(`p${at}`) });
    expect(await client.waitClose()).toMatchObject({ code: 4429 });
    for (const each of parked) each.allow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(gateway.console.directory.all()).toEqual([]);
  });
});

it('[PK1] a gateway parks only requests that need a decision', async () => {
  isParked = () => false;
  const client = await connect();
  client.send({ id: 's', method: 'process/start', params: start('p') });
  client.send({ id: 't', method: 'process/terminate', params: { processId: 'p' } });
  // Both requests were answered synchronously, while they were sent.
  expect(client.log.slice(-2)).toMatchObject([
    { id: 's', result: { processId: 'p' } },
    { id: 't', result: { running: true } },
  ]);
});
