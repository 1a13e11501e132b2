// Tests of share links at a real gateway: rules SH1 to SH5, HS10, AD5 and AD6.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShareInfo, ShareResult } from '../../protocol/access.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { WatchResult } from '../../protocol/console.ts';
import { mayCall } from '../policy/roles.ts';
import { METHOD_NAMES, METHODS, samplesOf } from '../../protocol/records.ts';
import { decide, list, waiting, waits } from '../testing/gated-server.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start({ changedSoonMs: 5, changedLaterMs: 5, tileMs: 20 });
});
afterEach(() => server.stop());

const share = (by: TestClient, params: object = {}): Promise<ShareResult> =>
  by.request('console/share', params);

async function exchange(url: string): Promise<Response> {
  const { origin, hash } = new URL(url);
  const secret = new URLSearchParams(hash.slice(1)).get('share');
  return fetch(`${origin}/auth/exchange`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ share: secret }),
  });
}

function labelsOf({ log: [initialized] }: TestClient): { connection: string; session: string } {
  return (
    (initialized?.result as { console: { connection: string; session: string } } | undefined)?.console ?? {
      connection: '',
      session: '',
    }
  );
}

async function guest(url: string): Promise<TestClient> {
  const { token } = (await (await exchange(url)).json()) as { token: string };
  const client = await TestClient.open(server.url, { token });
  await client.initialize();
  return client;
}

describe('A share', () => {
  it('[SH1] can be opened many times, by observers with distinct names', async () => {
    const operator = await server.client('operator');
    const { key } = await operator.start(['cat'], { session: 'console', tty: true });
    const { url, expiresAtMs } = await share(operator, { key, ttlMs: 60_000 });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#share=[\w-]{43}$/);
    const [one, other] = [await guest(url), await guest(url)];
    await one.request('process/attach', { key, afterSeq: 0 });
    await operator.write({ key }, 'seen');
    await one.waitOutput(key, 'seen');
    await expect(other.write({ key }, 'x')).rejects.toMatchObject({ code: -32021 });
    const { people } = await operator.request<{ people: { name: string }[] }>('console/watch', {});
    await other.request('console/watch', {});
    await operator.until(
      () => JSON.stringify(operator.log).includes('"guest 2"') && people.length > 0,
      'the guest among the people',
    );
    expect(expiresAtMs).toBeLessThanOrEqual(Date.now() + 60_000);
    one.ws.terminate();
    other.ws.terminate();
  });

  it('[SH1][HS10] gives a guest of all processes neither requests nor history', async () => {
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await operator.request('console/setPolicy', { policy: 'always' });
    const looking = await guest((await share(operator)).url);
    const starts = [agent.start(['/bin/early'])];
    await waits(operator);
    const seen = await looking.request<WatchResult>('console/watch', {});
    expect(seen).toMatchObject({ processes: [] });
    expect(Object.keys(seen)).toEqual(['gateway', 'people', 'activity', 'sessions', 'processes']);
    starts.push(agent.start(['/bin/late']));
    await waits(operator, 2);
    for (const { id } of await waiting(operator)) await decide(operator, id, 'accept');
    await Promise.allSettled(starts);
    const { key } = await operator.start(['echo', 'shown'], { session: 'console' });
    await looking.until(() => JSON.stringify(looking.log).includes(key), 'the process of the operator');
    for (const { id } of (await list(operator, { all: true })).approvals)
      expect(JSON.stringify(looking.log)).not.toContain(id);
    expect(JSON.stringify(looking.log.slice(1))).not.toMatch(/\/bin\/early|\/bin\/late|approval/);
    const samples = samplesOf({ key, processId: 'none', folder: 'file:///tmp' });
    for (const method of METHOD_NAMES.filter(
      (name) => METHODS[name].guest === null && mayCall('observer', name, false),
    ))
      await expect(looking.request(method, samples[method].own)).rejects.toMatchObject({ code: -32021 });
    const isOver = () => JSON.stringify(looking.log).includes('"state":"closed"');
    await looking.until(isOver, 'the end of the process');
    await looking.request('process/recording', { key });
    await server.restart();
    const later = await guest((await share(await server.client('operator'))).url);
    await expect(later.request('process/recording', { key })).rejects.toMatchObject({ code: -32020 });
    later.ws.terminate();
    looking.ws.terminate();
  });

  it('[SH1] has a secret that is not a token, and is stored as a hash', async () => {
    const operator = await server.client('operator');
    const { url } = await share(operator);
    const secret = url.split('#share=')[1] ?? '';
    await expect(TestClient.open(server.url, { token: secret })).rejects.toThrow('401');
    expect(readFileSync(join(server.stateDir, 'tokens.json'), 'utf8')).not.toContain(secret);
    expect((await exchange(url.slice(0, -1))).status).toBe(401);
  });

  it('[SH3] disconnects its guests when it is revoked, and cannot be opened any more', async () => {
    const operator = await server.client('operator');
    const [ended, other] = [await share(operator), await share(operator)];
    const [out, still] = [await guest(ended.url), await guest(other.url)];
    await operator.request('console/revokeShare', { id: ended.id });
    expect(await out.waitClose()).toMatchObject({ code: 4401 });
    expect((await exchange(ended.url)).status).toBe(401);
    await still.request('console/watch', {});
    still.ws.terminate();
  });

  it('[SH3] expires, and disconnects its guests', async () => {
    const operator = await server.client('operator');
    const { url } = await share(operator, { ttlMs: 1500 });
    expect(await (await guest(url)).waitClose()).toMatchObject({ code: 4401 });
    expect((await exchange(url)).status).toBe(401);
    await expect(share(operator, { ttlMs: 7 * 86_400_000 + 1 })).rejects.toMatchObject({ code: -32602 });
  });

  it('[SH3] ends with its creator’s token', async () => {
    const admin = await server.client('admin');
    const made = await admin.request<{ id: string; token: string }>('console/createToken', {
      name: 'Olga',
      role: 'operator',
      ttlMs: null,
    });
    const olga = await TestClient.open(server.url, { token: made.token });
    await olga.initialize();
    const looking = await guest((await share(olga)).url);
    await admin.request('console/revokeToken', { id: made.id });
    expect(await olga.waitClose()).toMatchObject({ code: 4401 });
    expect(await looking.waitClose()).toMatchObject({ code: 4401 });
  });

  it('[SH4] can be seen and revoked by its creator and by admins', async () => {
    const [operator, admin] = [await server.client('operator'), await server.client('admin')];
    const [own, admins] = [await share(operator), await share(admin)];
    const looking = await guest(own.url);
    const seenBy = async (client: TestClient): Promise<readonly Partial<ShareInfo>[]> =>
      (await client.request<{ shares: ShareInfo[] }>('console/shares', {})).shares;
    expect(await seenBy(operator)).toEqual([
      expect.objectContaining({ id: own.id, key: null, madeBy: 'the operator', isOwn: true, connected: 1 }),
    ]);
    expect((await seenBy(admin)).map(({ id, isOwn }) => [id, isOwn])).toEqual([
      [own.id, false],
      [admins.id, true],
    ]);
    await expect(operator.request('console/revokeShare', { id: admins.id })).rejects.toMatchObject({
      code: -32602,
    });
    await admin.request('console/revokeShare', { id: own.id });
    await looking.waitClose();
    expect(await seenBy(operator)).toEqual([]);
  });

  it('[AD5][AD6] is in the audit log without its secret, as is each guest', async () => {
    const admin = await server.client('admin');
    const { url, id } = await share(admin, { ttlMs: 60_000 });
    const guests = [await guest(url), await guest(url)];
    await admin.request('console/revokeShare', { id });
    await Promise.all(guests.map((each) => each.waitClose()));
    const { entries } = await admin.request<{ entries: AuditEntry[] }>('console/audit', {});
    const signIns = entries.filter(({ act }) => act === 'signIn');
    expect(signIns.map(({ who, details }) => [who, details?.['share']])).toEqual([
      ['guest 2', id],
      ['guest 1', id],
    ]);
    expect(new Set(signIns.map(({ token }) => token)).size).toBe(2);
    expect(entries.filter(({ details }) => details?.['id'] === id).map(({ act }) => act)).toEqual([
      'revokeShare',
      'share',
    ]);
    expect(JSON.stringify(entries)).not.toContain(url.split('#share=')[1]);
  });
});

it('[SH5] a guest may have ten connections', async () => {
  const operator = await server.client('operator');
  const { url } = await share(operator);
  const { token } = (await (await exchange(url)).json()) as { token: string };
  const open = (): Promise<TestClient> => TestClient.open(server.url, { token });
  const all = await Promise.all(Array.from({ length: 10 }, open));
  await expect(open()).rejects.toThrow('429');
  for (const { ws } of all) ws.terminate();
});

it('[AD6] a guest cannot evict the entries of others from the audit log', async () => {
  const operator = await server.client('operator');
  const { key } = await operator.start(['cat'], { session: 'console', tty: true });
  const { url } = await share(operator);
  const guests = [await guest(url), await guest(url)];
  for (const looking of guests) {
    for (let turn = 0; turn < 200; turn += 1) {
      for (const method of ['process/attach', 'process/detach'])
        looking.send({ id: `${method} ${turn}`, method, params: { key } });
    }
    await looking.request('console/unwatch', {});
  }
  const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', { limit: 1000 });
  expect(entries.filter(({ who, act }) => who.startsWith('guest') && act !== 'signIn')).toHaveLength(301);
  expect(entries.filter(({ act }) => act === 'tooMany')).toHaveLength(1);
  expect(entries.some(({ act }) => act === 'start')).toBe(true);
  for (const { ws } of guests) ws.terminate();
});

describe('A guest of one process', () => {
  const SECRET = 'nobody-else-may-read-this';
  const START = { metadata: { threadId: SECRET }, label: SECRET };

  it('[SH2] cannot learn of any other process or person, whatever it requests', async () => {
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await operator.request('console/watch', {});
    const argv = ['sh', '-c', `echo ${SECRET}; printf '\\a'; cat`];
    const hidden = await operator.start(argv, { session: 'console', tty: true, ...START });
    const shown = await operator.start(['cat'], { session: 'console', tty: true });
    const looking = await guest((await share(operator, { key: shown.key })).url);
    const watched = await looking.request<{ processes: { key: string }[] }>('console/watch', {});
    expect(watched.processes.map(({ key }) => key)).toEqual([shown.key]);
    // Pages send this request during silence, to check whether the gateway is alive.
    expect(await looking.request('environment/status')).toEqual({ status: 'ready' });

    const samples = samplesOf({ key: hidden.key, processId: hidden.processId, folder: 'file:///tmp' });
    const unknown = samplesOf({ key: 'no-such-key', processId: 'no-such-process', folder: 'file:///tmp' });
    for (const method of METHOD_NAMES) {
      if (method === 'console/unwatch') continue;
      for (const reach of ['own', 'any'] as const) {
        const [params, none] = [samples[method][reach], unknown[method][reach]];
        if (!params || !none) continue;
        const outcome = (asked: object): Promise<unknown> =>
          looking.request(method, asked).then(
            (result) => result,
            ({ code, message }: { code: number; message: string }) => ({ code, message }),
          );
        const answered = JSON.stringify(await outcome(params)).replaceAll(hidden.key, 'no-such-key');
        // The answer does not reveal whether an object of another person exists.
        expect(answered, method).toBe(JSON.stringify(await outcome(none)));
        // A process outside the share yields the error of an unknown key or of a forbidden method.
        if (reach === 'any' && mayCall('observer', method, true)) expect(answered).toMatch(/-3202[01]\b/);
      }
    }

    const own = await agent.start(['cat'], { tty: true, ...START });
    await operator.request('process/attach', { key: own.key });
    await agent.write({ processId: own.processId }, SECRET);
    await operator.request('process/signal', { key: hidden.key, signal: 'interrupt' });
    await operator.request('process/terminate', { key: hidden.key, graceMs: 0 });
    await operator.request('process/wait', { key: hidden.key, waitMs: 10_000 });
    // The shared process is signalled last, so that its events arrive after all earlier ones.
    await operator.request('process/signal', { key: shown.key, signal: 'quit' });
    await looking.until(
      () => JSON.stringify(looking.log).includes('"closed"'),
      'the end of the shared process',
    );
    const again = { key: shown.key, newProcessId: 'again' };
    const restarted = await operator.request<{ key: string }>('process/restart', again);
    await looking.until(
      () => JSON.stringify(looking.log).includes('"restart"'),
      'the restart of the shared process',
    );
    const reported = JSON.stringify(
      looking.log.filter(({ error }) => !error?.message.includes('unknown process key')),
    );
    const { sessions, people } = await operator.request<{
      sessions: { label: string }[];
      people: { connection: string }[];
    }>('console/watch', {});
    const others = [
      // The restarted process has a key of its own, which the share does not cover.
      restarted.key,
      ...[hidden, own].flatMap(({ key, processId }) => [key, `"${processId}"`]),
      // The label of the console's session is the same on every gateway, and `console` is also part of method
      // names.
      ...sessions
        .map(({ label }) => label)
        .filter((label) => label !== 'console' && label !== labelsOf(looking).session),
      ...people.map(({ connection }) => connection).filter((each) => each !== labelsOf(looking).connection),
      'the operator',
      'the agent',
      SECRET,
      process.cwd(),
    ];
    for (const other of others) expect(reported).not.toContain(other);
    looking.ws.terminate();
  });

  it('[SH2] gets tiles and search hits of that process only', async () => {
    const operator = await server.client('operator');
    const [hidden, shown] = [
      await operator.start(['echo', 'needle'], { session: 'console' }),
      await operator.start(['echo', 'needle'], { session: 'console' }),
    ];
    for (const { key } of [hidden, shown]) await operator.request('process/wait', { key, waitMs: 10_000 });
    const looking = await guest((await share(operator, { key: shown.key })).url);
    const { hits } = await looking.request<{ hits: { key: string }[] }>('console/search', {
      query: 'needle',
    });
    expect(hits.map(({ key }) => key)).toEqual([shown.key]);
    await looking.request('console/tiles', { keys: [hidden.key, shown.key] });
    const pictures = await looking.until(
      () => looking.log.find(({ method }) => method === 'console/tilesChanged'),
      'a picture',
    );
    const { tiles } = pictures.params as { tiles: { key: string }[] };
    expect(tiles.map(({ key }) => key)).toEqual([shown.key]);
    looking.ws.terminate();
  });
});
