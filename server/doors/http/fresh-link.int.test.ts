// Links in the audit log.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../../protocol/audit.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

it('[AU18] the audit log has the link that a person signed in with, but never its code', async () => {
  const operator = await server.client('operator');
  const page = new URL(server.addresses.pageUrl());
  const post = (path: string, body: object): Promise<Response> =>
    fetch(new URL(path, page), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { origin: page.origin, authorization: `Bearer ${server.token('operator')}` },
    });
  const { url } = (await (await post('/auth/link?name=Ada', {})).json()) as { url: string };
  const [, code = ''] = url.split('#code=');
  expect((await post('/auth/exchange', { code })).status).toBe(200);
  const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', {});
  const link = entries.find(({ act }) => act === 'link');
  const signIn = entries.find(({ act }) => act === 'signIn');
  expect(signIn).toMatchObject({
    who: 'Ada',
    details: { link: link?.details?.['link'], giver: link?.token },
  });
  expect(link?.details?.['link']).toMatch(/^[\w-]{12}$/);
  expect(JSON.stringify(entries)).not.toContain(code);
});

it.each([
  [
    403,
    'role=admin',
    'the operator has the role operator, which is not allowed to create a link for the role admin',
  ],
  [400, 'name=cli', 'the name cli is reserved for the gateway'],
])('[AU18] the audit log has the reason of a refused link (%i, %s)', async (status, query, reason) => {
  const operator = await server.client('operator');
  const page = new URL(server.addresses.pageUrl());
  const headers = { origin: page.origin, authorization: `Bearer ${server.token('operator')}` };
  const reply = await fetch(new URL(`/auth/link?${query}`, page), { method: 'POST', headers });
  expect([reply.status, await reply.text()]).toEqual([status, reason]);
  const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', {});
  expect(entries.find(({ act }) => act === 'refused')).toMatchObject({
    who: 'the operator',
    details: { reason },
  });
});
