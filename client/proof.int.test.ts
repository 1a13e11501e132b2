// A credential that is proved and never sent, at real gateways and at programs that only pretend: rules AU22 and AU23.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as tcpConnect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { greetingOf, PROOF, statement } from '../protocol/proof.ts';
import { connect, createConsoleClient } from './node/connect.ts';
import { TestServer } from '../server/testing/test-server.ts';
import type { ConnectionState } from './connection-state.ts';
import { prove, tokenCredential, type Answered, type Outcome } from './proof.ts';

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

async function proofOf(token: string, base = http()): Promise<string> {
  const outcome = await prove(await tokenCredential(token), askAt(base));
  if (outcome.kind !== 'proved') throw new Error(outcome.kind);
  return outcome.proof;
}

const identity = (proof: string, base = http()): Promise<Response> =>
  fetch(`${base}/auth/identity`, { headers: { authorization: `${PROOF.scheme} ${proof}` } });

/** Starts an impostor on a port. `seen`: every byte that it received, heads and messages. */
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
    // The greeting of an older gateway, and that of a new one with a key that is not known here.
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

describe('[AU22] a proof', () => {
  it.each(['agent', 'observer', 'operator', 'admin'] as const)(
    'lets %s in as its token does',
    async (role) => {
      expect(await (await identity(await proofOf(server.token(role)))).json()).toMatchObject({ role });
    },
  );

  it('is good once', async () => {
    const proof = await proofOf(server.token('operator'));
    expect((await identity(proof)).status).toBe(200);
    expect((await identity(proof)).status).toBe(401);
  });

  it('has nothing of the token in it', async () => {
    const token = server.token('operator');
    const proof = await proofOf(token);
    expect(proof).not.toContain(token);
    const answer = Buffer.from(proof.split('.')[3] ?? '', 'base64url');
    expect(answer.toString('latin1')).not.toContain(token.slice(0, 4));
    expect(await proofOf(token)).not.toContain(proof.split('.')[3]);
  });

  it('is worth nothing to another gateway, and after its gateway’s end', async () => {
    const other = await TestServer.start();
    const proof = await proofOf(server.token('operator'));
    expect((await identity(proof, other.url.replace('ws', 'http'))).status).toBe(401);
    await other.stop();
  });

  it.each([
    ['another answer', (parts: string[]) => [...parts.slice(0, 3), 'A'.repeat(58)]],
    ['no answer', (parts: string[]) => parts.slice(0, 3)],
    ['more parts', (parts: string[]) => [...parts, 'A'.repeat(20)]],
    ['another client’s nonce', ([id, , ...rest]: string[]) => [id, 'B'.repeat(24), ...rest]],
    ['a nonce of its own making', ([id, nonce, , answer]: string[]) => [id, nonce, 'C'.repeat(75), answer]],
    [
      'another spelling of the nonce',
      ([id, nonce, given, answer]: string[]) => [id, nonce, `${given}==`, answer],
    ],
    ['another credential’s name', ([, ...rest]: string[]) => ['D'.repeat(43), ...rest]],
    ['nothing', () => []],
  ])('with %s is refused', async (_, change) => {
    const proof = change((await proofOf(server.token('operator'))).split('.')).join('.');
    expect((await identity(proof)).status).toBe(401);
  });

  it('is asked for by name only, and an unknown name is told nothing', async () => {
    const ask = (query: string): Promise<Answered> => askAt(http())(`auth/challenge${query}`);
    for (const query of ['', '?id=x&nonce=y', `?id=${'D'.repeat(43)}&nonce=${'B'.repeat(24)}`]) {
      expect((await ask(query)).status, query).toBe(401);
    }
    const { id } = await tokenCredential(server.token('operator'));
    expect((await ask(`?id=${id}`)).status).toBe(401);
    expect((await ask(`?id=${id}&nonce=${'B'.repeat(24)}`)).status).toBe(200);
  });

  it('of a share’s secret lets nobody in', async () => {
    const operator = await server.client('operator');
    const { url } = await operator.request<{ url: string }>('console/share', {});
    const outcome = await prove(await tokenCredential(url.split('#share=')[1] ?? ''), askAt(http()));
    expect(outcome).toMatchObject({ kind: 'refused' });
  });
});

describe('[AU22] the package’s client', () => {
  it('keeps its session over a proof, and sends its token to nobody', async () => {
    const heads: string[] = [];
    // A program between them that reads everything.
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

describe('[AU23] to a program that has the gateway’s port', () => {
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
    ['claims to be it', (response: ServerResponse): void => sendJson(response, challenge), 'failed'],
    ['repeats what it was asked', (response: ServerResponse): void => sendJson(response, {}), 'waiting'],
    [
      'knows of no challenge',
      (response: ServerResponse): void => void response.writeHead(404).end(),
      'waiting',
    ],
    [
      'answers everything with a page',
      (response: ServerResponse): void => void response.end('<!doctype html>'),
      'waiting',
    ],
    ['refuses', (response: ServerResponse): void => void response.writeHead(401).end('wrong'), 'failed'],
    [
      'leads elsewhere',
      (response: ServerResponse): void =>
        void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'waiting',
    ],
  ] as const)('and %s, the client sends no credential and no message', async (_, answer, kind) => {
    const stranger = await pretender((_request, response) => answer(response));
    const token = server.token('operator');
    expect(await state(stranger.url, token)).toMatchObject({ kind });
    const { id } = await tokenCredential(token);
    expect(stranger.seen).toHaveLength(1);
    expect(stranger.seen[0]).toContain(`id=${id}`);
    expect(stranger.seen.join('\n')).not.toContain(token);
    await stranger.close();
  });

  it('after it has passed a challenge on, the client says nothing to it either', async () => {
    const base = http();
    const stranger = await pretender((asked, response) => {
      void askAt(base)((asked.url ?? '').slice(1)).then(({ status, body }) =>
        response.writeHead(status).end(body),
      );
    });
    const token = server.token('operator');
    const failed = await state(stranger.url, token);
    expect(failed).toMatchObject({ kind: 'failed', reason: expect.stringContaining('another program') });
    // The challenge and the upgrade: nothing after the false greeting.
    expect(stranger.seen).toHaveLength(2);
    expect(stranger.seen.join('\n')).not.toContain(token);
    await stranger.close();
  });

  it('gives statements that serve for nothing else', () => {
    const handshake = { id: 'i', clientNonce: 'c', gatewayNonce: 'g' };
    const all = (['gateway', 'client', 'open'] as const).map((side) => statement(side, handshake));
    expect(new Set(all).size).toBe(3);
  });

  it('the reason for a refusal stays that of the gateway', async () => {
    const outcome: Outcome = await prove(await tokenCredential('wrong'.repeat(8)), askAt(http()));
    expect(outcome).toEqual({ kind: 'refused', reason: 'the credential is not known here' });
  });
});
