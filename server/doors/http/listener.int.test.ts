// The gateway's port, tested with plain requests and raw bytes.
import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

const authority = (): string => new URL(server.url).host;
const own = (): string => `http://${authority()}`;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function ask(method: string, path: string, headers = {}, body = ''): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  const asked = request({ method, path, headers, hostname, port, agent: false });
  asked.end(body);
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Sends the bytes unchanged, and reads until the gateway closes the connection. */
async function knock(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return text(socket);
}

const upgrade = (path: string, ...headers: string[]): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${authority()}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
    '\r\n',
  ].join('\r\n');

describe('[AU3] Without a credential', () => {
  it.each([
    ['GET', '/', 200],
    ['HEAD', '/', 200],
    ['GET', '/?x=1', 200],
    ['GET', '/index.html', 200],
    ['GET', '/healthz', 200],
    ['HEAD', '/readyz', 200],
    ['POST', '/readyz', 403],
    ['GET', '/auth/exchange', 404],
    ['GET', '/auth/identity', 401],
    ['GET', '/tokens.json', 404],
    ['GET', '/../state/tokens.json', 404],
    ['GET', '/%2e%2e/state/tokens.json', 404],
    ['GET', '/..%2fstate%2ftokens.json', 404],
    ['GET', '//etc/passwd', 404],
    ['GET', '/index.html%00', 404],
    ['GET', '/index.html/', 404],
  ] as const)('%s %s is answered with %i', async (method, path, status) => {
    expect((await ask(method, path)).status).toBe(status);
  });

  it('a health check has no body', async () => {
    expect((await ask('GET', '/healthz')).body).toBe('');
  });

  it('only GET and HEAD are allowed', async () => {
    expect((await ask('POST', '/readyz', { origin: own() })).status).toBe(405);
    expect((await ask('DELETE', '/', { origin: own() })).status).toBe(405);
  });

  it('all paths are refused for other hosts and other origins', async () => {
    for (const path of ['/', '/healthz', '/nothing']) {
      expect((await ask('GET', path, { host: 'evil.example' })).status).toBe(421);
      expect((await ask('GET', path, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await ask('GET', path, { origin: 'null' })).status).toBe(403);
    }
  });
});

it('every response has the security headers', async () => {
  for (const path of ['/', '/nothing', '/healthz']) {
    const { headers } = await ask('GET', path);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'(?: 'sha256-[\w+/]{43}=')?;/,
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
  expect(await knock(upgrade('/'))).toContain("content-security-policy: default-src 'none'");
});

it('the page is not sent again while it is unchanged', async () => {
  const first = await ask('GET', '/');
  expect(first.headers['cache-control']).toBe('no-cache');
  const again = await ask('GET', '/', { 'if-none-match': first.headers.etag });
  expect([again.status, again.body]).toEqual([304, '']);
});

describe('The code exchange', () => {
  const codeOf = (link: string): string => new URL(link).hash.replace('#code=', '');
  const exchange = (body: string, headers = {}): Promise<Answer> =>
    ask('POST', '/auth/exchange', { origin: own(), ...headers }, body);

  it('returns a credential of the page, once', async () => {
    const body = JSON.stringify({ code: codeOf(server.addresses.pageUrl()) });
    const answer = await exchange(body);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { token, role, expiresAtMs } = JSON.parse(answer.body);
    expect(role).toBe('operator');
    expect(expiresAtMs).toBeGreaterThan(Date.now());
    const identity = await ask('GET', '/auth/identity', { authorization: `Bearer ${token}` });
    expect(JSON.parse(identity.body)).toMatchObject({ name: 'operator', role: 'operator', expiresAtMs });
    expect((await exchange(body)).status).toBe(401);
  });

  it.each([
    ['not json', 400],
    ['{}', 400],
    ['null', 400],
    ['{"code":1}', 400],
    ['{"code":"made up"}', 401],
  ])('replies to the body %s with %i', async (body, status) => {
    expect((await exchange(body)).status).toBe(status);
  });

  it('refuses a body that is too long', async () => {
    expect((await exchange(JSON.stringify({ code: 'x'.repeat(100_000) }))).status).toBe(413);
  });

  it('is refused from another origin, which leaves the code valid', async () => {
    const body = JSON.stringify({ code: codeOf(server.addresses.pageUrl()) });
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      expect((await exchange(body, { origin })).status).toBe(403);
    }
    expect((await exchange(body)).status).toBe(200);
  });
});

describe('A new link', () => {
  const bearer = (role: 'agent' | 'observer' | 'operator' | 'admin') => ({
    authorization: `Bearer ${server.token(role)}`,
  });

  it.each(['operator', 'admin'] as const)('[CL2] is issued to an %s, and is valid once', async (role) => {
    const answer = await ask('POST', '/auth/link', bearer(role));
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { url, expiresAtMs } = JSON.parse(answer.body);
    expect(url).toMatch(new RegExp(`^${own()}/#code=[\\w-]{32}$`));
    expect(expiresAtMs).toBeGreaterThan(Date.now());
    const code = JSON.stringify({ code: new URL(url).hash.replace('#code=', '') });
    expect((await ask('POST', '/auth/exchange', { origin: own() }, code)).status).toBe(200);
    expect((await ask('POST', '/auth/exchange', { origin: own() }, code)).status).toBe(401);
  });

  it.each([
    ['operator', 'observer', 200],
    ['operator', 'operator', 200],
    ['operator', 'admin', 403],
    ['admin', 'admin', 200],
    ['admin', 'agent', 403],
    ['admin', 'king', 403],
    ['observer', 'observer', 403],
  ] as const)(
    '[AU14] is answered by role: requested by an %s, for an %s, %i',
    async (giver, role, status) => {
      const answer = await ask('POST', `/auth/link?role=${role}`, bearer(giver));
      expect(answer.status).toBe(status);
      if (status !== 200) return;
      const code = JSON.stringify({ code: new URL(JSON.parse(answer.body).url).hash.replace('#code=', '') });
      const exchanged = await ask('POST', '/auth/exchange', { origin: own() }, code);
      expect(JSON.parse(exchanged.body)).toMatchObject({ role });
    },
  );

  it.each([
    ['Ada', 200, 'Ada'],
    ['Zoë Q.', 200, 'Zoë Q.'],
    ['cli', 400, null],
    ['a\u202eb', 400, null],
    ['', 400, null],
  ])('[AU14] is answered by its name: %j, %i', async (name, status, known) => {
    const query = new URLSearchParams({ name });
    const answer = await ask('POST', `/auth/link?${query.toString()}`, bearer('operator'));
    expect(answer.status).toBe(status);
    if (known === null) return;
    const code = JSON.stringify({ code: new URL(JSON.parse(answer.body).url).hash.replace('#code=', '') });
    const exchanged = await ask('POST', '/auth/exchange', { origin: own() }, code);
    const { token } = JSON.parse(exchanged.body);
    const identity = await ask('GET', '/auth/identity', { authorization: `Bearer ${token}` });
    expect(JSON.parse(identity.body)).toMatchObject({ name: known, role: 'operator' });
  });

  it('[CL2] contains the host that the request was sent to', async () => {
    const answer = await ask('POST', '/auth/link', { ...bearer('operator'), host: 'localhost:9' });
    expect(JSON.parse(answer.body).url).toMatch(/^http:\/\/localhost:9\/#code=/);
  });

  it.each(['agent', 'observer'] as const)('[CL2] is not issued to an %s', async (role) => {
    expect((await ask('POST', '/auth/link', bearer(role))).status).toBe(403);
  });

  it('[CL2] is not issued to other origins, without a credential, or for a GET', async () => {
    const { authorization } = bearer('operator');
    expect((await ask('POST', '/auth/link')).status).toBe(403);
    expect((await ask('POST', '/auth/link', { origin: own() })).status).toBe(401);
    expect((await ask('POST', '/auth/link', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask('POST', '/auth/link', { authorization, origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await ask('GET', '/auth/link', { authorization })).status).toBe(404);
  });
});

describe('An upgrade', () => {
  it.each([
    ['/', [], '401 Unauthorized'],
    ['/other', [], '401 Unauthorized'],
    ['/', ['Origin: https://evil.example'], '403 Forbidden'],
    ['/', ['Authorization: Bearer wrong'], '401 Unauthorized'],
  ] as const)('is refused, and the connection closed: %s, %j, %s', async (path, headers, status) => {
    expect(await knock(upgrade(path, ...headers))).toContain(`HTTP/1.1 ${status}\r\n`);
  });

  it('gets 404 on another path when it has a credential', async () => {
    const bearer = `Authorization: Bearer ${server.token('agent')}`;
    expect(await knock(upgrade('/other', bearer))).toContain('HTTP/1.1 404 Not Found');
  });

  it('succeeds with a credential in the query, and the log never contains the credential', async () => {
    const [agentUrl, wrong] = [new URL(server.addresses.agentUrl()), '/?token=a-wrong-token'];
    await knock(upgrade(wrong));
    expect(server.logged.join('\n')).toContain('/?…');
    expect(server.logged.join('\n')).not.toContain('a-wrong-token');
    const socket = connect({ host: agentUrl.hostname, port: Number(agentUrl.port) });
    socket.write(upgrade(agentUrl.pathname + agentUrl.search));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('101 Switching Protocols');
    socket.destroy();
  });

  it("selects the console's subprotocol for a page, and does not return the token", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const token = server.token('operator');
    const offer = `Sec-WebSocket-Protocol: exec-console.v1, exec-console.token.${token}`;
    socket.write(upgrade('/', `Origin: ${own()}`, offer));
    const answer = String((await once(socket, 'data'))[0]);
    expect(answer).toContain('Sec-WebSocket-Protocol: exec-console.v1\r\n');
    expect(answer).not.toContain(token);
    socket.destroy();
  });

  it('gets 429 after many wrong credentials, while a valid one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => knock(upgrade('/', 'Authorization: Bearer wrong'))),
    );
    expect(answers.filter((answer) => answer.includes(' 429 ')).length).toBe(10);
    expect(server.lines.filter(([, , { event }]) => event === 'refused').length).toBe(30);
    expect((await server.client('agent')).ws.readyState).toBe(1);
  });
});

it('an error at the start names the port that is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(TestServer.start({}, { port })).rejects.toThrow(`127.0.0.1:${port}: the port is in use`);
  const next = await TestServer.start({}, { port, portIsFixed: false });
  expect(next.addresses.port).toBeGreaterThan(port);
  await next.stop();
  other.close();
});
