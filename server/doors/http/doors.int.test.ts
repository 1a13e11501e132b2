// Every path with every credential, and malformed bytes of every kind: rules AU1, AU2, AU3, AU10 and AU12.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../config.ts';
import { knockAt, statusesIn, visitHonestly } from '../../testing/knock.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let authority: string;
const startServer = async (limits: Partial<Limits>): Promise<void> => {
  server = await TestServer.start(limits);
  authority = new URL(server.url).host;
};
beforeAll(() => startServer({}));
afterAll(() => server.stop());

type Proof = 'none' | 'wrong' | 'agent' | 'observer' | 'operator' | 'admin';

const tokenOf = (proof: Proof): string =>
  proof === 'none' || proof === 'wrong' ? 'wrong-token' : server.token(proof);

const knock = (bytes: string | readonly string[]): Promise<string> => knockAt(server, bytes);
const honestVisit = (): Promise<void> => visitHonestly(server);

it('[AU27] a request for the script of a service worker gets the gateway’s script, at every path and with its ETag', async () => {
  for (const path of ['/', '/w.js', '/a/b.js?c', '/notifications/worker.js']) {
    const etag = (await fetch(`http://${authority}/notifications/worker.js`)).headers.get('etag') ?? '';
    const answer = await fetch(`http://${authority}${path}`, {
      headers: { 'service-worker': 'script', 'if-none-match': etag },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // Browsers reject an update to a worker whose scope is wider than its script's path, unless this header allows
    // that scope.
    expect(answer.headers.get('service-worker-allowed')).toBe('/');
    expect(await answer.text()).toContain('.unregister()');
  }
});

describe('[AU1][AU2][AU3] Every method, Host, Origin and proof gets the right status at', () => {
  const OPEN = ['/', '/index.html', '/healthz', '/readyz'];
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
  const PROOFS: readonly Proof[] = ['none', 'wrong', 'agent', 'observer', 'operator', 'admin'];

  /** Returns the expected status of a request that has this proof and has passed the common checks. */
  function behind(path: string, method: string, proof: Proof): number {
    const isRead = method === 'GET' || method === 'HEAD';
    const isProved = proof !== 'none' && proof !== 'wrong';
    if (OPEN.includes(path)) return isRead ? 200 : 405;
    if (path === '/auth/exchange' && method === 'POST') return 400;
    // The request lacks the id of a credential, so it gets 401 with any proof.
    if (path === '/auth/challenge') return method === 'GET' ? 401 : 405;
    if (path === '/auth/identity') return isProved ? 200 : 401;
    if ((path === '/status' || path === '/metrics') && !isRead) return 405;
    if (path === '/metrics' && isProved) return proof === 'agent' ? 403 : 200;
    if (path === '/metrics') return 401;
    if (path === '/status') return isProved ? 200 : 401;
    if (path === '/auth/link' && method === 'POST') {
      if (!isProved) return 401;
      return proof === 'operator' || proof === 'admin' ? 200 : 403;
    }
    return 404;
  }

  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  afterAll(() => agent.destroy());

  async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
    const { hostname, port } = new URL(server.url);
    const asked = request({ method, path, headers, hostname, port, agent });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    const { statusCode = 0 } = response;
    // A 429 after many wrong proofs is a refusal, too.
    return statusCode === 429 ? 401 : statusCode;
  }

  const paths = [
    ...OPEN,
    '/status',
    '/metrics',
    '/auth/identity',
    '/auth/challenge',
    '/auth/link',
    '/auth/exchange',
    '/auth',
    '/state/tokens.json',
  ];
  it.each(paths)('%s', async (path) => {
    const hosts = { own: authority, localhost: 'localhost:1', other: 'evil.example:1' };
    const seen: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const visits = METHODS.flatMap((method) =>
      Object.entries(hosts).flatMap(([name, host]) =>
        [undefined, `http://${host}`, 'http://evil.example', 'null'].flatMap((origin) =>
          PROOFS.map(async (proof) => {
            const isBare = origin === undefined && proof === 'none' && !/^(GET|HEAD)$/.test(method);
            const isOwn = origin === undefined || (name !== 'other' && origin === `http://${host}`);
            const visit = `${method} ${name} ${origin} ${proof}`;
            expected[visit] = name === 'other' ? 421 : isBare || !isOwn ? 403 : behind(path, method, proof);
            seen[visit] = await statusOf(method, path, {
              host,
              ...(origin !== undefined && { origin }),
              ...(proof !== 'none' && { authorization: `Bearer ${tokenOf(proof)}` }),
            });
          }),
        ),
      ),
    );
    await Promise.all(visits);
    expect(seen).toEqual(expected);
    expect(Object.keys(seen)).toHaveLength(6 * 3 * 4 * 6);
  });
});

describe('[AU1][AU12] An unusual request gets the right status with', () => {
  it.each([
    ['two Hosts', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Host: evil.example'], 400],
    ['two Hosts that agree', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Host: 127.0.0.1'], 400],
    ['no Host', 'GET / HTTP/1.1', [], 400],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0', [], 421],
    ['an empty Host', 'GET / HTTP/1.1', ['Host:'], 421],
    ['a Host with a user', 'GET / HTTP/1.1', ['Host: evil.example@127.0.0.1'], 421],
    ['a Host with a dot at its end', 'GET / HTTP/1.1', ['Host: localhost.'], 421],
    ['a Host with two ports', 'GET / HTTP/1.1', ['Host: 127.0.0.1:80:7420'], 421],
    ['a Host with a path', 'GET / HTTP/1.1', ['Host: 127.0.0.1/evil.example'], 421],
    ['an IPv4 address as IPv6', 'GET / HTTP/1.1', ['Host: [::ffff:127.0.0.1]'], 421],
    ['an address in another notation', 'GET / HTTP/1.1', ['Host: 0x7f000001'], 421],
    ['the unspecified address as Host', 'GET / HTTP/1.1', ['Host: 0.0.0.0'], 421],
    ['a Host in capitals', 'GET / HTTP/1.1', ['HOST: LOCALHOST'], 200],
    ['a target with a host', 'GET http://evil.example/ HTTP/1.1', ['Host: 127.0.0.1'], 400],
    ['a target with the gateway’s own host', 'GET http://127.0.0.1/ HTTP/1.1', ['Host: 127.0.0.1'], 400],
    ['the target *', 'OPTIONS * HTTP/1.1', ['Host: 127.0.0.1'], 400],
    ['two Origins', 'GET / HTTP/1.1', ['Host: a:1', 'Host: 127.0.0.1', 'Origin: http://127.0.0.1'], 400],
    [
      'an Origin twice',
      'GET / HTTP/1.1',
      ['Host: 127.0.0.1', ...Array<string>(2).fill('Origin: http://127.0.0.1')],
      400,
    ],
    ['an Origin with a path', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Origin: http://127.0.0.1/'], 403],
    ['an Origin with a user', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Origin: http://a@127.0.0.1'], 403],
    [
      'the Origin of an extension',
      'GET / HTTP/1.1',
      ['Host: 127.0.0.1', 'Origin: chrome-extension://abc'],
      403,
    ],
    ['the Origin of a file', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Origin: file://'], 403],
    ['an empty Origin', 'GET / HTTP/1.1', ['Host: 127.0.0.1', 'Origin:'], 403],
    ['a forwarded host', 'GET / HTTP/1.1', ['Host: evil.example', 'X-Forwarded-Host: 127.0.0.1'], 421],
    [
      'a cross-site frame',
      'GET / HTTP/1.1',
      ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: iframe'],
      403,
    ],
  ] as const)('%s', async (_, line, headers, status) => {
    const answer = await knock([line, ...headers, 'Connection: close', '\r\n']);
    expect(statusesIn(answer)).toEqual([status]);
    await honestVisit();
  });
});

const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

describe('[AU3][AU12] A wrong upgrade with a valid token is refused', () => {
  it.each([
    ['to another path', 'GET /other HTTP/1.1', HANDSHAKE, 404],
    ['to the page by name', 'GET /index.html HTTP/1.1', HANDSHAKE, 404],
    ['with POST', 'POST / HTTP/1.1', HANDSHAKE, 405],
    ['without a key', 'GET / HTTP/1.1', HANDSHAKE.slice(0, 3), 400],
    [
      'with another version',
      'GET / HTTP/1.1',
      [...HANDSHAKE.slice(0, 2), 'Sec-WebSocket-Version: 7', HANDSHAKE[3]],
      400,
    ],
    [
      'with a key that is too long',
      'GET / HTTP/1.1',
      [...HANDSHAKE.slice(0, 3), `Sec-WebSocket-Key: ${'A'.repeat(99)}`],
      400,
    ],
    ['with a target that has a host', 'GET ws://evil.example/ HTTP/1.1', HANDSHAKE, 400],
    [
      'from a page with the token in the query',
      'GET /?token=TOKEN HTTP/1.1',
      [...HANDSHAKE, 'Origin: http://AUTHORITY'],
      403,
    ],
  ] as const)('%s', async (_, line, headers, status) => {
    const token = server.token('operator');
    const proof = line.includes('TOKEN') ? [] : [`Authorization: Bearer ${token}`];
    const lines = [line, `Host: ${authority}`, ...headers, ...proof, '\r\n'].map((each) =>
      String(each).replace('TOKEN', token).replace('AUTHORITY', authority),
    );
    const statuses = statusesIn(await knock(lines));
    expect(statuses).toEqual([status]);
    await honestVisit();
  });
});

it.each([
  ['GET /metrics HTTP/1.1', [], 200],
  ['POST /auth/link HTTP/1.1', ['Content-Length: 0'], 404],
] as const)('an offer of HTTP/2 is ignored: %s %j → %d', async (line, headers, status) => {
  const proof = `Authorization: Bearer ${server.token('operator')}`;
  const offer = ['Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
  const answer = await knock([line, `Host: ${authority}`, ...offer, proof, ...headers, '\r\n']);
  expect(statusesIn(answer)).toEqual([status]);
  await honestVisit();
});

describe('[AU12] A malformed request', () => {
  const inner = (): string =>
    `POST /auth/link HTTP/1.1\r\nHost: ${authority}\r\nAuthorization: Bearer ${server.token('operator')}\r\n\r\n`;
  const post = (...headers: string[]): string[] => [
    'POST /auth/exchange HTTP/1.1',
    `Host: ${authority}`,
    `Origin: http://${authority}`,
    ...headers,
    '',
    '',
  ];

  it.each(['identity', 'gzip', 'gzip, chunked', 'xchunked', 'chunked;q=1', ''])(
    'has no effect with the transfer coding %j',
    async (coding) => {
      const answers = await knock(inner().replace(/\r\n$/, `Transfer-Encoding: ${coding}\r\n\r\n`) + inner());
      expect(statusesIn(answers)).toEqual([400]);
      expect(answers).not.toContain('#code=');
      await honestVisit();
    },
  );

  it.each([
    ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
    ['chunks in disguise', ['Transfer-Encoding: xchunked']],
    ['another coding', ['Transfer-Encoding: gzip, chunked']],
    ['no coding', ['Transfer-Encoding: identity']],
    ['a length that is not a number', ['Content-Length: 1e1']],
    ['a negative length', ['Content-Length: -1']],
    ['a length with a sign', ['Content-Length: +0']],
    ['a space before a colon', ['Content-Length : 0']],
    ['a folded line', ['Content-Length:', ' 0']],
    ['a bare line feed', ['X: y\nContent-Length: 0']],
    ['a bare carriage return', ['X: y\rContent-Length: 0']],
    ['a zero byte', ['X: y\0']],
    ['a chunk with an invalid size', ['Transfer-Encoding: chunked', '', 'xyz']],
  ])('gets at most one reply: %s', async (_, headers) => {
    const answers = await knock(post(...headers).join('\r\n') + inner());
    expect(statusesIn(answers)).toHaveLength(1);
    expect(statusesIn(answers)[0]).toBe(400);
    expect(answers).not.toContain('#code=');
    await honestVisit();
  });

  describe.each([
    ['a request', (): readonly string[] => []],
    ['an upgrade', () => HANDSHAKE],
    ['an offer of HTTP/2', () => ['Connection: Upgrade', 'Upgrade: h2c']],
  ])('%s', (_, headers) => {
    it.each([
      ['two Hosts', '/', ['Host: evil.example'], 400],
      ['a target with a host', 'http://127.0.0.1/', [], 400],
      ['two proofs', '/auth/identity', ['Authorization: Bearer wrong'], 400],
      ['the same proof twice', '/auth/identity', ['Authorization: Bearer TOKEN'], 400],
      ['another proof in the query', '/auth/identity?token=wrong', [], 400],
      ['two roles in the query', '/auth/link?role=agent&role=admin', [], 400],
      ['two Origins', '/', ['Origin: http://AUTHORITY', 'Origin: http://evil.example'], 400],
      ['two sites', '/', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'], 400],
      ['another Upgrade', '/', ['Upgrade: websocket', 'Upgrade: h2c'], 400],
      ['two keys', '/', Array<string>(2).fill('Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='), 400],
      ['a foreign Origin', '/', ['Origin: http://evil.example'], 403],
    ] as const)(
      'closes the connection, and bytes after it are not read: %s',
      async (_, target, more, status) => {
        const token = server.token('operator');
        const lines = [
          `GET ${target} HTTP/1.1`,
          `Host: ${authority}`,
          'Authorization: Bearer TOKEN',
          ...headers(),
          ...more,
          '',
          '',
        ].map((line) => line.replace('TOKEN', token).replace('AUTHORITY', authority));
        const upgraded = inner()
          .replace('POST /auth/link', 'GET /')
          .replace('\r\n\r\n', `\r\n${HANDSHAKE.join('\r\n')}\r\n\r\n`);
        for (const after of [inner().replace('/link', '/link?name=smuggled'), upgraded]) {
          const answers = await knock(lines.join('\r\n') + after);
          expect(statusesIn(answers)).toEqual([status]);
          expect(answers.toLowerCase()).toContain('connection: close');
          expect(answers).not.toContain('#code=');
        }
        const admin = await server.client('admin');
        const { entries } = await admin.request<{ entries: object[] }>('console/audit', {});
        expect(JSON.stringify(entries)).not.toContain('smuggled');
        await admin.cut();
        await honestVisit();
      },
    );
  });

  it('the body of a request that needs none is not read as another request', async () => {
    const body = inner();
    const head = [
      `GET /healthz HTTP/1.1`,
      `Host: ${authority}`,
      'Connection: close',
      `Content-Length: ${body.length}`,
      '',
      '',
    ];
    expect(statusesIn(await knock(head.join('\r\n') + body))).toEqual([200]);
  });

  it.each([
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['ssh', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    ['an unknown method', 'STEAL / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['a later version of HTTP', 'GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['only line ends', '\r\n'.repeat(10_000)],
  ])('%s is refused', async (_, bytes) => {
    const answer = await knock(bytes);
    expect(answer).not.toMatch(/ (200|101) /);
    await honestVisit();
  });
});
