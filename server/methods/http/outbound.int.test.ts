// Tests of http/request against a real server: rules HT1 to HT5 and AD1.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../protocol/audit.ts';
import type { BodyDelta, HttpResponse } from '../../../protocol/http.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const routes = new Map<string, Handler>();
let web: Server;
let base: string;
let gateway: TestServer;
let client: TestClient;
beforeAll(async () => {
  web = createServer((request, response) => routes.get(request.url ?? '')?.(request, response)).listen(
    0,
    '127.0.0.1',
  );
  web.on('connect', takeOver('200 OK'));
  await once(web, 'listening');
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  gateway = await TestServer.start({ httpBodyBytes: 100_000, httpRequests: 2 });
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await gateway.stop();
});
beforeEach(async () => {
  client = await gateway.client();
});
afterEach(() => client.cut());

let nextId = 0;
const ask = (path: string, params: object = {}): Promise<HttpResponse> =>
  client.request('http/request', {
    method: 'GET',
    url: base + path,
    headers: [],
    requestId: `r${(nextId += 1)}`,
    ...params,
  });
const textOf = ({ bodyBase64 }: HttpResponse): string => Buffer.from(bodyBase64, 'base64').toString();
const deltas = (requestId: string): BodyDelta[] =>
  client.log.flatMap(({ method, params }) =>
    method === 'http/request/bodyDelta' && params?.['requestId'] === requestId
      ? [params as unknown as BodyDelta]
      : [],
  );
const ended = (requestId: string): Promise<BodyDelta> =>
  client.until(() => deltas(requestId).find(({ done }) => done), `the end of ${requestId}`);

const echo: Handler = (request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify({ method: request.method, headers: request.rawHeaders, body }));
  });
};
/** Resolves when the latest upgraded connection is closed. */
let whenClosed: Promise<void>;
function takeOver(status: string): (request: IncomingMessage) => void {
  return ({ socket }) => {
    whenClosed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {}).on('end', () => socket.end());
    socket.resume().write(`HTTP/1.1 ${status}\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`);
  };
}
const redirect =
  (status: number, to: string): Handler =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { location: to }).end('moved');
  };
routes.set('/echo', echo);
routes.set('/found', redirect(302, '/echo'));
routes.set('/kept', redirect(307, '/echo'));
routes.set('/loop', redirect(302, '/loop'));
routes.set('/file', redirect(302, 'file:///etc/passwd'));
routes.set('/silent', () => {});
routes.set('/large', (_request, response) => void response.end(Buffer.alloc(100_001)));
routes.set('/upgraded', takeOver('101 Switching Protocols'));
routes.set('/cut', (request, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('abc', () => setTimeout(() => request.socket.destroy(), 20));
});

describe('A complete response', () => {
  it('[HT1] is passed on unchanged, as is its request', async () => {
    const response = await ask('/echo', {
      method: 'POST',
      headers: [
        { name: 'X-A', value: '1' },
        { name: 'X-A', value: '2' },
      ],
      bodyBase64: Buffer.from('hi').toString('base64'),
    });
    expect(response.status).toBe(200);
    expect(response.headers.filter(({ name }) => name === 'set-cookie').map(({ value }) => value)).toEqual([
      'a=1',
      'b=2',
    ]);
    const seen = JSON.parse(textOf(response)) as { method: string; headers: string[]; body: string };
    expect([seen.method, seen.body]).toEqual(['POST', 'hi']);
    expect(seen.headers.join(' ')).toContain('X-A 1 X-A 2');
    expect(seen.headers.join(' ').toLowerCase()).not.toMatch(/authorization|cookie|user-agent/);
  });

  it('[HT1] is requested with the credentials of the URL and with the length of an empty body', async () => {
    const seen = async (params: object): Promise<string> => textOf(await ask('/echo', params));
    const withNames = base.replace('//', '//us%65r:p%40%E9ss@');
    const basic = Buffer.concat([Buffer.from('user:p@'), Buffer.from([0xe9]), Buffer.from('ss')]);
    expect(await seen({ url: `${withNames}/echo` })).toContain(`Basic ${basic.toString('base64')}`);
    const headers = [{ name: 'Authorization', value: 'Bearer x' }];
    expect(await seen({ url: `${withNames}/echo`, headers })).not.toContain('Basic');
    expect(await seen({ method: 'POST' })).toContain('"content-length","0"');
    for (const method of ['GET', 'DELETE', 'OPTIONS'])
      expect(await seen({ method })).not.toMatch(/content-length|transfer-encoding/i);
    for (const method of ['MKCOL', 'PROPFIND', 'patch']) {
      expect(await seen({ method })).toContain('"content-length","0"');
      expect(await seen({ method })).not.toMatch(/transfer-encoding/i);
    }
  });

  it('[HT1] may have a timeout longer than a timer supports', async () => {
    expect((await ask('/echo', { timeoutMs: 3_000_000_000 })).status).toBe(200);
  });

  it('[HT2] comes from a redirect’s target, as in a browser, unless redirects are turned off', async () => {
    const post = {
      method: 'POST',
      bodyBase64: 'aGk=',
      headers: [{ name: 'content-type', value: 'text/plain' }],
    };
    expect(JSON.parse(textOf(await ask('/found', post)))).toMatchObject({ method: 'GET', body: '' });
    expect(JSON.parse(textOf(await ask('/kept', post)))).toMatchObject({ method: 'POST', body: 'hi' });
    const stopped = await ask('/found', { redirectPolicy: 'stop' });
    expect([stopped.status, textOf(stopped)]).toEqual([302, 'moved']);
    await expect(ask('/loop')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('redirects'),
    });
    await expect(ask('/file')).rejects.toMatchObject({ code: -32603 });
  });

  it('[HT2] comes from a redirect’s target in UTF-8', async () => {
    routes.set('/utf8', (_, response) =>
      response.writeHead(302, { location: Buffer.from('/caf%C3%A9-é').toString('latin1') }).end(),
    );
    routes.set('/caf%C3%A9-%C3%A9', (_, response) => response.end('found'));
    expect(textOf(await ask('/utf8'))).toBe('found');
  });

  it('[HT2] [AD1] comes from another host without the credentials of the first, and both are in the audit log', async () => {
    const other = createServer(echo).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    routes.set('/away', redirect(302, `http://127.0.0.1:${port}/`));
    const headers = [
      { name: 'Authorization', value: 'Bearer x' },
      { name: 'X-Kept', value: 'y' },
    ];
    const seen = textOf(await ask('/away', { headers }));
    expect(seen).toContain('X-Kept');
    expect(seen).not.toContain('Bearer');
    const { entries } = await (
      await gateway.client('operator')
    ).request<{ entries: AuditEntry[] }>('console/audit', { act: 'httpRequest' });
    expect(entries.slice(0, 2).map(({ details }) => details?.['url'])).toEqual([
      `http://127.0.0.1:${port}/`,
      `${base}/away`,
    ]);
    other.close();
    other.closeAllConnections();
  });

  it('[HT2] does not wait for the body of a redirect, which may be endless', async () => {
    const gone = new Promise<void>((resolve) => {
      routes.set('/found-endless', (request, response) => {
        request.socket.on('close', resolve);
        response.writeHead(302, { location: '/echo' }).write('moved');
      });
    });
    expect((await ask('/found-endless')).status).toBe(200);
    await gone;
  });

  it.each([
    ['GET', '101 Switching Protocols'],
    ['CONNECT', '200 OK'],
  ])(
    '[HT3] is an error when %s is answered with an upgrade, and the connection is closed',
    async (method, answer) => {
      // The limit is two at a time, so the third request is refused unless an earlier one has ended.
      for (let i = 0; i < 3; i += 1) {
        await expect(ask('/upgraded', { method })).rejects.toMatchObject({
          code: -32603,
          message: expect.stringContaining(answer),
        });
        await whenClosed;
      }
      expect((await ask('/echo')).status).toBe(200);
    },
  );

  it('[HT3] is refused for a body of CONNECT, however the method is written', async () => {
    await expect(ask('/', { method: 'connect', bodyBase64: 'aGk=' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('bodyBase64'),
    });
  });

  it('[HT3] is an error with a reason after a timeout, an excessive size, a cut or a failed connection', async () => {
    await expect(ask('/silent', { timeoutMs: 50 })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('50 ms'),
    });
    await expect(ask('/large')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('streamResponse'),
    });
    await expect(ask('/cut')).rejects.toMatchObject({ code: -32603 });
    await expect(ask('', { url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({ code: -32603 });
  });

  it.each([
    { url: 'ftp://x/' },
    { url: 'nope' },
    { url: 'file:///etc/passwd' },
    { method: 'BAD METHOD' },
    { method: '' },
    { headers: [{ name: 'bad name', value: '1' }] },
    { headers: [{ name: 'a', value: 'b\nc' }] },
    { bodyBase64: '!' },
    { redirectPolicy: 'x' },
    { requestId: undefined },
    { timeoutMs: -1 },
  ])('[HT3] is refused for %j', async (params) => {
    await expect(ask('/echo', params)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('A streamed response', () => {
  it('[HT4] arrives in parts after its head, in order, and ends with an empty part', async () => {
    let goOn = (): void => {};
    routes.set('/parts', (_request, response) => {
      response.write('one');
      goOn = (): void => {
        response.write('two');
        response.end();
      };
    });
    const response = await ask('/parts', { requestId: 's', streamResponse: true });
    expect([response.status, response.bodyBase64]).toEqual([200, '']);
    await client.until(() => deltas('s').length === 1, 'the first part');
    await expect(ask('/echo', { requestId: 's', streamResponse: true })).rejects.toMatchObject({
      code: -32602,
    });
    goOn();
    await ended('s');
    expect(
      deltas('s').map(({ seq, deltaBase64, done, error }) => [
        seq,
        Buffer.from(deltaBase64, 'base64').toString(),
        done,
        error,
      ]),
    ).toEqual([
      [1, 'one', false, null],
      [2, 'two', false, null],
      [3, '', true, null],
    ]);
    expect((await ask('/echo', { requestId: 's', streamResponse: true })).status).toBe(200);
  });

  it('[HT4] reports why it is incomplete', async () => {
    await ask('/cut', { requestId: 'c', streamResponse: true });
    expect((await ended('c')).error).not.toBeNull();
    routes.set('/slow', (_request, response) => void response.write('x'));
    await ask('/slow', { requestId: 't', streamResponse: true, timeoutMs: 1000 });
    expect((await ended('t')).error).toContain('1000 ms');
  });

  it('[HT5] is read no faster than the client reads, and ends with its connection', async () => {
    let sent = 0;
    const gone = new Promise<void>((resolve) => {
      routes.set('/endless', (request, response) => {
        const part = Buffer.alloc(64 * 1024);
        const write = (): void => {
          while (response.write(part)) sent += part.length;
          sent += part.length;
        };
        response.on('drain', write);
        request.socket.on('close', () => resolve());
        write();
      });
    });
    client.ws.pause();
    client.send({
      id: 'e',
      method: 'http/request',
      params: { method: 'GET', url: `${base}/endless`, headers: [], requestId: 'e', streamResponse: true },
    });
    // The server stops sending once the client stops reading.
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = sent > 0 && sent === before;
          before = sent;
          return isStill;
        },
        { interval: 300, timeout: 20_000 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    client.ws.terminate();
    await gone;
  });

  it('[HT5] is refused beyond a limited number at a time', async () => {
    const first = ask('/silent', { requestId: 'a', timeoutMs: 5000 }).catch(() => 'gone');
    const second = ask('/silent', { requestId: 'b', timeoutMs: 5000 }).catch(() => 'gone');
    await expect(ask('/echo')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('limit'),
    });
    expect(await client.request('environment/status')).toEqual({ status: 'ready' });
    client.ws.terminate();
    await Promise.race([Promise.all([first, second]), Promise.resolve()]);
  });
});
