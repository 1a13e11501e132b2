// Limits on the answer of another program on the gateway's port: a client neither reads it whole nor shows it
// (rule AU30).
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { TestServer } from '../server/testing/test-server.ts';
import { askBounded, MOST_ANSWER_BYTES } from './bounded-answer.ts';
import { createConsoleClient } from './node/connect.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

async function stranger(answer: (response: ServerResponse, url: string) => void): Promise<string> {
  const server = createServer(({ url = '' }, response) => answer(response, url)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    server.close();
    server.closeAllConnections();
  });
  // Each socket is closed with a reason text, before any greeting.
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.close(4000, 'words of a stranger'));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function endless(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024, 'a');
  const go = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', go);
  go();
}

it('[AU30] an endless answer is read up to a limit, and its connection is closed', async () => {
  let closed = false;
  const url = await stranger((response) => {
    response.once('close', () => {
      closed = true;
    });
    endless(response);
  });
  const { status, body } = await askBounded(url);
  expect([status, body.length]).toEqual([200, MOST_ANSWER_BYTES]);
  await expect.poll(() => closed).toBe(true);
});

it('[AU30] a redirect is not followed', async () => {
  const followed: string[] = [];
  const other = await stranger((response, url) => {
    followed.push(url);
    response.end();
  });
  const url = await stranger((response) => void response.writeHead(302, { location: other }).end());
  await expect(askBounded(url)).rejects.toThrow(`no usable answer from ${new URL(url).host}`);
  expect(followed).toEqual([]);
});

const reasonAt = (url: string, token: string): Promise<string> =>
  new Promise((resolve) => {
    const client = createConsoleClient({ url: url.replace('http', 'ws'), token });
    client.connection.onState((state) => {
      if (state.kind !== 'failed' && state.kind !== 'waiting') return;
      resolve(state.reason);
      client.connection.close();
    });
    client.connection.open();
  });

it.each([
  [400, 'the gateway cannot read the request'],
  [401, 'the credential is unknown to the gateway'],
  [403, 'the gateway accepts no requests from this origin'],
  [421, 'the gateway accepts no requests for this host name'],
])('[AU30] a refusal with %d is described without the text of its answer', async (status, reason) => {
  const url = await stranger(
    (response) => void response.writeHead(status).end('words \u001b[2J of a stranger'),
  );
  expect(await reasonAt(url, 'wrong'.repeat(8))).toBe(`the credential was refused: ${reason}`);
});

it('[AU30] the reason of a socket that is closed before the greeting is not shown', async () => {
  const server = await TestServer.start();
  undo.push(() => server.stop());
  // The challenge is relayed to the real gateway, so that the client then opens its socket.
  const url = await stranger((response, path) => {
    void fetch(new URL(path, server.url.replace('ws', 'http'))).then(async (answer) =>
      response.writeHead(answer.status).end(await answer.text()),
    );
  });
  expect(await reasonAt(url, server.token('operator'))).not.toContain('stranger');
});
