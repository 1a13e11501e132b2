// A credential that is proved and never sent, at real gateways and at impostors: rules AU22 and AU23.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as tcpConnect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  BODY_HASH,
  clientStatement,
  greetingOf,
  PROOF,
  requestUse,
  SOCKET_USE,
  statement,
} from '../protocol/proof.ts';
import { connect, createConsoleClient } from './node/connect.ts';
import { TestServer } from '../server/testing/test-server.ts';
import type { ConnectionState } from './connection-state.ts';
import { prove, tokenCredential, type Answered, type Outcome } from './proof.ts';

const IDENTITY = requestUse('GET', '/auth/identity');

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

const http = (): string => server.url.replace('ws', 'http');
const askAt =
  (base: string) =>
  async (path: string): Promise<Answered> => {
    const answer = await fetch(new URL(path, base));
    return { status: answer.status, body: await answer.text() };
  };

async function proofOf(token: string, use = IDENTITY): Promise<string> {
  const outcome = await prove(await tokenCredential(token), askAt(http()), use);
  if (outcome.kind !== 'proved') throw new Error(outcome.kind);
  return outcome.proof;
}

const identity = (proof: string, base = http()): Promise<Response> =>
  fetch(`${base}/auth/identity`, { headers: { authorization: `${PROOF.scheme} ${proof}` } });

/**
 * Starts an impostor. `seen`: the addresses and headers of the requests, and the messages that the impostor received.
 */
async function pretender(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; seen: string[]; close: () => Promise<void> }> {
  const seen: string[] = [];
  const note = ({ url, rawHeaders }: IncomingMessage): void => void seen.push([url, ...rawHeaders].join(' '));
  const listening: Server = createServer((asked, response) => {
    note(asked);
    answer(asked, response);
  });
  const sockets = new WebSocketServer({ server: listening });
  sockets.on('connection', (socket, asked) => {
    note(asked);
    socket.on('message', (data: Buffer) => seen.push(data.toString()));
    // A greeting with a false proof.
    socket.send(greetingOf('A'.repeat(43)));
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    seen,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      listening.close();
      listening.closeAllConnections();
      await once(listening, 'close');
    },
  };
}

const sendJson = (response: ServerResponse, body: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

describe('[AU22] A proof', () => {
  it.each(['agent', 'observer', 'operator', 'admin'] as const)(
    'authenticates its bearer as %s, like the token',
    async (role) => {
      expect(await (await identity(await proofOf(server.token(role)))).json()).toMatchObject({ role });
    },
  );

  it('is valid once', async () => {
    const proof = await proofOf(server.token('operator'));
    expect((await identity(proof)).status).toBe(200);
    expect((await identity(proof)).status).toBe(401);
  });

  it('[AU34] is valid only for the method and target, or the socket, that it was made for', async () => {
    const link = requestUse('POST', '/auth/link?role=agent');
    const send = async (use: string, method: string, target: string): Promise<number> => {
      const authorization = `${PROOF.scheme} ${await proofOf(server.token('admin'), use)}`;
      return (await fetch(`${http()}${target}`, { method, headers: { authorization } })).status;
    };
    for (const use of [
      IDENTITY,
      requestUse('GET', '/auth/link?role=agent'),
      requestUse('POST', '/auth/link'),
      SOCKET_USE,
    ])
      expect(await send(use, 'POST', '/auth/link?role=admin'), use).toBe(401);
    expect(await send(link, 'POST', '/auth/link?role=admin')).toBe(401);
    expect(await send(requestUse('POST', '/auth/link?role=admin'), 'POST', '/auth/link?role=admin')).toBe(
      200,
    );
    expect(await send(requestUse('GET', '/'), 'GET', '/status')).toBe(401);
    expect(await send(requestUse('GET', '/status'), 'GET', '/status')).toBe(200);
    const open = async (use: string): Promise<number> => {
      const authorization = `${PROOF.scheme} ${await proofOf(server.token('admin'), use)}`;
      const socket = new WebSocket(server.url, { headers: { authorization } });
      const status = await new Promise<number>((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
        socket.on('error', () => undefined);
      });
      socket.terminate();
      return status;
    };
    expect(await open(IDENTITY)).toBe(401);
    expect(await open(requestUse('GET', '/'))).toBe(401);
    expect(await open(SOCKET_USE)).toBe(101);
  });

  it('[AU34] covers the body of a request to /mcp', async () => {
    const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} });
    const other = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'server/discover', params: {} });
    const send = async (body: string, proved: string | undefined, sent = proved): Promise<number> => {
      const proof = await proofOf(server.token('agent'), requestUse('POST', '/mcp', proved));
      const headers = {
        authorization: `${PROOF.scheme} ${proof}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(sent !== undefined && { [BODY_HASH]: sent }),
      };
      return (await fetch(`${http()}/mcp`, { method: 'POST', headers, body })).status;
    };
    expect(await send(ping, hashOf(ping))).toBe(200);
    expect(await send(other, hashOf(ping))).toBe(400);
    expect(await send(other, hashOf(ping), hashOf(other))).toBe(401);
    expect(await send(ping, undefined)).toBe(400);
    expect(await send(ping, undefined, hashOf(ping))).toBe(401);
  });

  it('contains nothing of the token', async () => {
    const token = server.token('operator');
    const proof = await proofOf(token);
    expect(proof).not.toContain(token);
    const answer = Buffer.from(proof.split('.')[3] ?? '', 'base64url');
    expect(answer.toString('latin1')).not.toContain(token.slice(0, 4));
    expect(await proofOf(token)).not.toContain(proof.split('.')[3]);
  });

  it('is not valid at another gateway', async () => {
    const other = await TestServer.start();
    const proof = await proofOf(server.token('operator'));
    expect((await identity(proof, other.url.replace('ws', 'http'))).status).toBe(401);
    await other.stop();
  });

  it.each([
    ['a different answer', (parts: string[]) => [...parts.slice(0, 3), 'A'.repeat(58)]],
    ['no answer', (parts: string[]) => parts.slice(0, 3)],
    ['more parts', (parts: string[]) => [...parts, 'A'.repeat(20)]],
    ['the nonce of another client', ([id, , ...rest]: string[]) => [id, 'B'.repeat(24), ...rest]],
    [
      'a nonce that the gateway did not issue',
      ([id, nonce, , answer]: string[]) => [id, nonce, 'C'.repeat(75), answer],
    ],
    [
      'another spelling of the nonce',
      ([id, nonce, given, answer]: string[]) => [id, nonce, `${given}==`, answer],
    ],
    ['the id of another credential', ([, ...rest]: string[]) => ['D'.repeat(43), ...rest]],
    ['nothing', () => []],
  ])('is refused with %s', async (_, change) => {
    const proof = change((await proofOf(server.token('operator'))).split('.')).join('.');
    expect((await identity(proof)).status).toBe(401);
  });

  it('needs a challenge, which the gateway issues only for the id of a known token', async () => {
    const ask = (query: string): Promise<Answered> => askAt(http())(`auth/challenge${query}`);
    for (const query of ['', '?id=x&nonce=y', `?id=${'D'.repeat(43)}&nonce=${'B'.repeat(24)}`]) {
      expect((await ask(query)).status, query).toBe(401);
    }
    const { id } = await tokenCredential(server.token('operator'));
    expect((await ask(`?id=${id}`)).status).toBe(401);
    expect((await ask(`?id=${id}&nonce=${'B'.repeat(24)}`)).status).toBe(200);
  });

  it('cannot be created from the secret of a share', async () => {
    const operator = await server.client('operator');
    const { url } = await operator.request<{ url: string }>('console/share', {});
    const outcome = await prove(
      await tokenCredential(url.split('#share=')[1] ?? ''),
      askAt(http()),
      IDENTITY,
    );
    expect(outcome).toMatchObject({ kind: 'refused' });
  });
});

describe('[AU22] The package’s client', () => {
  it('authenticates with a proof, and never sends its token', async () => {
    const heads: string[] = [];
    // A proxy that records all bytes that the client sends.
    const between = createTcpServer((socket) => {
      const passed = tcpConnect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('data', (bytes) => heads.push(bytes.toString('latin1')));
      socket.pipe(passed).pipe(socket);
      for (const each of [socket, passed]) each.on('error', () => undefined);
    });
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const token = server.token('agent');
    const client = await connect({ url: `ws://127.0.0.1:${port}`, token });
    const started = await client.start({
      argv: ['true'],
      cwd: '/tmp',
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect((await started.wait()).exitCode).toBe(0);
    client.close();
    between.close();
    expect(heads.join('')).toContain(`authorization: ${PROOF.scheme} `);
    expect(heads.join('')).not.toContain(token);
  });
});

describe('[AU23] A client that reaches another program on the gateway’s port', () => {
  const state = (url: string, token: string): Promise<ConnectionState> =>
    new Promise((resolve) => {
      const client = createConsoleClient({ url, token });
      client.connection.onState((state) => {
        if (state.kind !== 'failed' && state.kind !== 'waiting') return;
        resolve(state);
        client.connection.close();
      });
      client.connection.open();
    });
  const challenge = { nonce: 'N'.repeat(75), proof: 'P'.repeat(43) };

  it.each([
    ['claims to be the gateway', (response: ServerResponse): void => sendJson(response, challenge), 'failed'],
    ['answers without a proof', (response: ServerResponse): void => sendJson(response, {}), 'waiting'],
    [
      'does not know the challenge',
      (response: ServerResponse): void => void response.writeHead(404).end(),
      'waiting',
    ],
    [
      'answers everything with a page',
      (response: ServerResponse): void => void response.end('<!doctype html>'),
      'waiting',
    ],
    [
      'refuses the client',
      (response: ServerResponse): void => void response.writeHead(401).end('wrong'),
      'failed',
    ],
    [
      'redirects elsewhere',
      (response: ServerResponse): void =>
        void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'waiting',
    ],
  ] as const)('sends that program no credential and no message: %s', async (_, answer, kind) => {
    const stranger = await pretender((_request, response) => answer(response));
    const token = server.token('operator');
    expect(await state(stranger.url, token)).toMatchObject({ kind });
    const { id } = await tokenCredential(token);
    expect(stranger.seen).toHaveLength(1);
    expect(stranger.seen[0]).toContain(`id=${id}`);
    expect(stranger.seen.join('\n')).not.toContain(token);
    await stranger.close();
  });

  it('sends no message even when the program has relayed the challenge of the real gateway', async () => {
    const base = http();
    const stranger = await pretender((asked, response) => {
      void askAt(base)((asked.url ?? '').slice(1)).then(({ status, body }) =>
        response.writeHead(status).end(body),
      );
    });
    const token = server.token('operator');
    const failed = await state(stranger.url, token);
    expect(failed).toMatchObject({ kind: 'failed', reason: expect.stringContaining('another program') });
    // The impostor received the challenge request and the upgrade, but nothing after its false greeting.
    expect(stranger.seen).toHaveLength(2);
    expect(stranger.seen.join('\n')).not.toContain(token);
    await stranger.close();
  });

  it('signs a different statement for each side and for the opening', () => {
    const handshake = { id: 'i', clientNonce: 'c', gatewayNonce: 'g' };
    const all = (['gateway', 'open'] as const).map((side) => statement(side, handshake));
    const uses = ['', SOCKET_USE, IDENTITY].map((use) => clientStatement(handshake, use));
    expect(new Set([...all, ...uses]).size).toBe(5);
  });

  it('describes a refusal by its status, not by the text of the answer', async () => {
    const outcome: Outcome = await prove(await tokenCredential('wrong'.repeat(8)), askAt(http()), IDENTITY);
    expect(outcome).toEqual({ kind: 'refused', reason: 'the credential is unknown to the gateway' });
  });
});
