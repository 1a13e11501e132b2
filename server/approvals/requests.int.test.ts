// HTTP requests that try to use the approval of another request, and redirects, at a real gateway: rules AP13 and HT3.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decide, errorOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import type { TestClient } from '../testing/test-client.ts';

let gated: GatedServer;
let agent: TestClient;
let operator: TestClient;
let web: Server;
let base: string;
let received: string[];

beforeEach(async () => {
  received = [];
  web = createServer((request, response) => {
    received.push(`${request.method} ${request.headers.host} ${request.url}`);
    request.resume();
    if (request.url === '/away')
      response.writeHead(302, { location: base.replace('127.0.0.1', 'localhost') });
    if (request.url === '/near') response.writeHead(302, { location: '/' });
    response.end();
  }).listen(0);
  await once(web, 'listening');
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  gated = await GatedServer.start();
  [agent, operator] = [await gated.server.client('agent'), await gated.server.client('operator')];
});
afterEach(async () => {
  web.closeAllConnections();
  web.close();
  await gated.stop();
});

const request = (more: object = {}): Promise<unknown> =>
  agent.request('http/request', { method: 'GET', url: base, headers: [], requestId: 'r', ...more });

async function acceptForSession(): Promise<void> {
  const done = request();
  await decide(operator, (await waits(operator)).id, 'acceptForSession');
  await done;
  received = [];
}

it('[AP13][HT3] an approval for the session sends no second request in a body', async () => {
  await acceptForSession();
  const second = Buffer.from('DELETE /precious HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n').toString('base64');
  const headers = [{ name: 'content-length', value: '0' }];
  const error = await errorOf(request({ headers, bodyBase64: second }));
  expect(error).toMatchObject({ code: -32602 });
  expect(error?.message).toContain('params.headers.0: content-length must be');
  expect(received).toEqual([]);
});

it('[AP13][HT3] an approval for the session reaches no other host by a header', async () => {
  await acceptForSession();
  const error = await errorOf(request({ headers: [{ name: 'Host', value: 'localhost' }] }));
  expect(error?.message).toContain('params.headers.0: host must be 127.0.0.1:');
  expect(received).toEqual([]);
});

it('[AP13] a redirect to another host waits, and one within the host does not', async () => {
  await acceptForSession();
  await request({ url: `${base}near` });
  expect(received.map((each) => each.replace(/:\d+/, ''))).toEqual([
    'GET 127.0.0.1 /near',
    'GET 127.0.0.1 /',
  ]);
  received = [];
  const away = errorOf(request({ url: `${base}away` }));
  const asked = await waits(operator);
  expect(asked).toMatchObject({ kind: 'request', cwd: base.replace('127.0.0.1', 'localhost') });
  await decide(operator, asked.id, 'decline');
  expect((await away)?.message).toContain('declined by the operator');
  expect(received).toHaveLength(1);
});

it('[AP13] a network rule forbids the target of a redirect under every policy', async () => {
  const admin = await gated.server.client('admin');
  const text = 'network_rule(host="localhost", protocol="http", decision="deny")';
  await admin.request('console/writeRules', { text });
  await admin.request('console/setPolicy', { policy: 'never' });
  expect((await errorOf(request({ url: `${base}away` })))?.message).toContain(
    'a network rule forbids localhost',
  );
  expect(received).toHaveLength(1);
});

it('[AP13] a redirect that still waits at its timeout is withdrawn', async () => {
  await acceptForSession();
  const away = errorOf(request({ url: `${base}away`, timeoutMs: 500 }));
  const { id } = await waits(operator);
  expect((await away)?.message).toContain('no complete response within 500 ms');
  expect(await waiting(operator)).toEqual([]);
  const { approvals } = await list(operator, { id });
  expect(approvals).toMatchObject([{ state: 'withdrawn' }]);
  expect(received).toHaveLength(1);
});
