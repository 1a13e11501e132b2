// Tests of tokens that are created and revoked at the console: rules AU15, AU18 and AD5.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CreateTokenResult, TokenInfo } from '../../protocol/access.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeEach(async () => {
  server = await TestServer.start();
  admin = await server.client('admin');
});
afterEach(() => server.stop());

const create = (name: string, role = 'agent', ttlMs: number | null = 60_000): Promise<CreateTokenResult> =>
  admin.request('console/createToken', { name, role, ttlMs });
const listed = async (): Promise<TokenInfo[]> =>
  (await admin.request<{ tokens: TokenInfo[] }>('console/tokens', {})).tokens;

it('[AU15] a token admits its bearer, is listed as connected, and disconnects them when it is revoked', async () => {
  const { id, token, expiresAtMs } = await create('ci');
  expect(await listed()).toContainEqual(
    expect.objectContaining({
      id,
      name: 'ci',
      role: 'agent',
      kind: 'token',
      connected: 0,
      lastSeenAtMs: null,
    }),
  );
  const client = await TestClient.open(server.url, { token });
  await client.initialize();
  const info = (await listed()).find((each) => each.id === id);
  expect(info).toMatchObject({ connected: 1, lastSeenAtMs: expect.any(Number), expiresAtMs });
  expect(JSON.stringify(await listed())).not.toContain(token);
  await admin.request('console/revokeToken', { id });
  expect(await client.waitClose()).toMatchObject({ code: 4401, reason: 'the token was revoked' });
  await expect(TestClient.open(server.url, { token })).rejects.toThrow('401');
});

it.each([
  'cli',
  'page',
  'Page',
  'token file',
  'gateway',
  'guest 7',
  'page 2',
  'ｐａｇｅ',
  '',
  ' x',
  'a\u202eb',
  'x'.repeat(65),
])('[AU15] a token cannot have the name %j', async (name) => {
  await expect(create(name)).rejects.toMatchObject({ code: -32602 });
});

it('[AU15] the gateway’s own token cannot be revoked', async () => {
  const own = (await listed()).find(({ kind }) => kind === 'gateway');
  expect(own?.name).toBe('cli');
  await expect(admin.request('console/revokeToken', { id: own?.id })).rejects.toMatchObject({ code: -32602 });
});

it('[AD5] a token is in the audit log by its id', async () => {
  const { id, token } = await create('ci', 'observer', null);
  await admin.request('console/revokeToken', { id });
  const { entries } = await admin.request<{ entries: AuditEntry[] }>('console/audit', { limit: 2 });
  expect(entries.map(({ act, who, details }) => [act, who, details])).toEqual([
    ['revokeToken', 'the admin', { id }],
    ['createToken', 'the admin', { id, name: 'ci', role: 'observer', expiresAtMs: null }],
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

it('[AU15] an operator can create tokens only for agents', async () => {
  const operator = await server.client('operator');
  const ask = (role: string): Promise<CreateTokenResult> =>
    operator.request('console/createToken', { name: 'my agent', role, ttlMs: null });
  for (const role of ['observer', 'operator', 'admin'])
    await expect(ask(role)).rejects.toMatchObject({ code: -32021 });
  const { token } = await ask('agent');
  const agent = await TestClient.open(server.url, { token });
  await agent.initialize();
  await agent.start(['true']);
  await expect(agent.request('console/watch', {})).rejects.toMatchObject({ code: -32021 });
});

it('[AU15][AU18] a token that an operator created for an agent ends with the operator’s token', async () => {
  const { id, token: operators } = await create('Olga', 'operator', 3_600_000);
  const olga = await TestClient.open(server.url, { token: operators });
  await olga.initialize();
  const made = await olga.request<CreateTokenResult>('console/createToken', {
    name: 'hers',
    role: 'agent',
    ttlMs: 7_200_000,
  });
  expect(made.expiresAtMs).toBeLessThanOrEqual(Date.now() + 3_600_000);
  const agent = await TestClient.open(server.url, { token: made.token });
  await agent.initialize();
  await admin.request('console/revokeToken', { id });
  expect(await agent.waitClose()).toMatchObject({ code: 4401 });
  await expect(TestClient.open(server.url, { token: made.token })).rejects.toThrow('401');
});
