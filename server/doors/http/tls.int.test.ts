// The gateway's port with TLS: accepted protocols and clients, and changes of the certificate files.
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServedPeers } from '../../policy/served-peers.ts';
import type { GatewayHealth } from '../../../protocol/health.ts';
import { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';
import { writeTestCertificate, type WrittenCertificate } from '../../testing/test-certificate.ts';

const NAMES = ['127.0.0.1', 'localhost', 'dev.example'];

let dir: string;
let certificate: WrittenCertificate;
let server: TestServer;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-tls-'));
  certificate = writeTestCertificate(dir, ...NAMES);
  server = await TestServer.start({ certificateLookMs: 20 }, { tls: certificate });
});
afterEach(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

async function ask(method: string, path: string, headers = {}, ca = certificate.cert) {
  const { hostname, port } = new URL(server.url);
  const servername = 'localhost';
  const asked = request({ method, path, headers, hostname, port, ca, servername, agent: false });
  const [socket] = (await once(asked, 'socket')) as [TLSSocket];
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const fingerprint = socket.getPeerCertificate().fingerprint256;
  return { status: response.statusCode, headers: response.headers, body: await text(response), fingerprint };
}

const agent = (): Promise<TestClient> =>
  TestClient.open(server.url, { token: server.token('agent'), ca: certificate.cert });

describe('[AU7] With a certificate', () => {
  it('everything on the port is TLS, and every link has https or wss', async () => {
    const { port } = server.addresses;
    expect(server.url).toBe(`wss://127.0.0.1:${port}`);
    expect(server.addresses.pageUrl()).toMatch(`https://127.0.0.1:${port}/#code=`);
    expect(server.addresses.agentUrl()).toMatch(`wss://127.0.0.1:${port}/?token=`);
    expect((await ask('GET', '/')).status).toBe(200);
    const client = await agent();
    await expect(client.initialize()).resolves.toMatchObject({ console: { role: 'agent' } });
    const socket = connect({ host: '127.0.0.1', port });
    socket.end('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await text(socket)).not.toContain('HTTP/1.1 200');
    expect((await ask('GET', '/healthz')).status).toBe(200);
    client.ws.terminate();
  });

  it('strict transport security is only sent for names of the certificate, and never for localhost', async () => {
    for (const host of ['dev.example', 'dev.example:7420']) {
      expect((await ask('GET', '/', { host })).headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
    }
    for (const host of ['localhost', '127.0.0.1:7420']) {
      expect((await ask('GET', '/', { host })).headers['strict-transport-security']).toBeUndefined();
    }
  });

  it('[AU9] its names are allowed as Hosts, and their Origins must have https', async () => {
    const authorization = `Bearer ${server.token('operator')}`;
    const identify = async (host: string, origin?: string): Promise<number | undefined> =>
      (await ask('GET', '/auth/identity', { host, authorization, ...(origin && { origin }) })).status;
    expect(await identify('dev.example:7420', 'https://dev.example:7420')).toBe(200);
    expect(await identify('dev.example', 'http://dev.example')).toBe(403);
    expect(await identify('other.example')).toBe(421);
    const link = await ask('POST', '/auth/link', { host: 'dev.example', authorization });
    expect(JSON.parse(link.body).url).toMatch(/^https:\/\/dev\.example\/#code=/);
  });

  it('a renewed certificate is used at once, and no connection is closed', async () => {
    const before = await agent();
    await before.initialize();
    const renewed = writeTestCertificate(dir, ...NAMES);
    await vi.waitFor(() => expect(server.logged.at(-1)).toContain(renewed.fingerprint), 10_000);
    expect((await ask('GET', '/healthz', {}, renewed.cert)).fingerprint).toBe(renewed.fingerprint);
    await before.request('environment/info');
    before.ws.terminate();
  });

  it('an invalid certificate leaves the earlier one in use and the gateway degraded, until it is corrected', async () => {
    const health = async (): Promise<GatewayHealth> =>
      JSON.parse(
        (await ask('GET', '/status', { authorization: `Bearer ${server.token('observer')}` })).body,
      ) as GatewayHealth;
    writeFileSync(certificate.certPath, 'half a certif');
    await vi.waitFor(async () => expect((await health()).status).toBe('degraded'), 10_000);
    expect((await health()).reasons.join()).toContain(`--tls-cert ${certificate.certPath}: this is no`);
    expect((await ask('GET', '/healthz')).fingerprint).toBe(certificate.fingerprint);
    writeFileSync(certificate.certPath, certificate.cert);
    await vi.waitFor(async () => expect((await health()).status).toBe('ok'), 10_000);
    rmSync(certificate.keyPath);
    await vi.waitFor(
      async () => expect((await health()).reasons.join()).toContain('there is no such file'),
      10_000,
    );
  });
});

it('[AU7] a gateway warns about a key that others can read', async () => {
  chmodSync(certificate.keyPath, 0o644);
  const other = await TestServer.start({}, { tls: certificate });
  expect(other.logged.join()).toContain(`chmod 600 ${certificate.keyPath}`);
  await other.stop();
});

it('[AU7] a gateway does not start with an invalid certificate or key', async () => {
  await expect(TestServer.start({}, { tls: { ...certificate, keyPath: '/nonexistent' } })).rejects.toThrow(
    '--tls-key /nonexistent: there is no such file',
  );
});

it('[AU8] with a declared proxy, other peers are disconnected before a byte is read, and are in the audit log', async () => {
  const trustedProxies = [{ address: '192.0.2.7', prefix: 32 }];
  const proxied = await TestServer.start({}, { trustedProxies });
  const operator = await proxied.client('operator');
  const served = vi.spyOn(ServedPeers.prototype, 'isServed').mockReturnValue(false);
  for (let visit = 0; visit < 110; visit += 1) {
    const socket = connect({ host: '127.0.0.1', port: proxied.addresses.port });
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  }
  served.mockRestore();
  const { entries } = await operator.request<{ entries: { act: string; details?: object }[] }>(
    'console/audit',
    {},
  );
  const refused = entries.filter(({ act }) => act === 'refused');
  expect(refused).toHaveLength(100);
  expect(refused[0]).toMatchObject({ details: { reason: 'the address is not a trusted proxy' } });
  expect((await proxied.client('operator')).ws.readyState).toBe(1);
  await proxied.stop();
});

it('[AU8] the audit log has the client address that a declared proxy reports, but not one that others report', async () => {
  const authorization = { authorization: 'Bearer guessed', 'x-forwarded-for': '1.1.1.1, 203.0.113.7' };
  const froms: string[] = [];
  for (const trustedProxies of [[{ address: '127.0.0.1', prefix: 32 }], []]) {
    const some = await TestServer.start({}, { trustedProxies });
    const { port } = some.addresses;
    await fetch(`http://127.0.0.1:${port}/auth/identity`, { headers: authorization });
    const operator = await some.client('operator');
    const { entries } = await operator.request<{ entries: { act: string; from: string }[] }>(
      'console/audit',
      {},
    );
    froms.push(entries.find(({ act }) => act === 'refused')?.from ?? '');
    await some.stop();
  }
  expect(froms[0]).toMatch(/^203\.0\.113\.7 \(through 127\.0\.0\.1:\d+\)$/);
  expect(froms[1]).toMatch(/^127\.0\.0\.1:\d+$/);
});
