// Files of the page, sent compressed to clients that accept brotli, and uncompressed to others.
import {
  createServer,
  IncomingMessage,
  request,
  ServerResponse,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendFile } from './answers.ts';

const TEXT = 'x'.repeat(100_000);
const file = {
  type: 'text/javascript',
  etag: 'W/"1"',
  cacheControl: 'no-cache',
  bytes: TEXT.length,
  inlineScripts: [],
};

let server: Server;
let isPacked: boolean;
beforeEach(async () => {
  server = createServer((asked, response) => {
    const body = isPacked ? brotliCompressSync(TEXT) : Buffer.from(TEXT);
    sendFile(asked, response, { ...file, body, isPacked });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => {
  server.close();
});

async function ask(
  encoding: string,
  method = 'GET',
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const asked = request({ port, method, headers: { 'accept-encoding': encoding }, agent: false });
    asked.on('error', reject);
    asked.on('response', (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    });
    asked.end();
  });
}

it.each([true, false])(
  'sendFile sends the uncompressed file to a client without brotli; stored compressed: %j',
  async (packed) => {
    isPacked = packed;
    const { headers, body } = await ask('gzip, deflate');
    expect(headers).toMatchObject({ 'content-length': String(TEXT.length), vary: 'accept-encoding' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe(TEXT);
  },
);

it('[LI5] sendFile decompresses a file once for all requests', async () => {
  const packed = { ...file, body: brotliCompressSync(TEXT), isPacked: true };
  const sent: unknown[] = [];
  const ends = Array.from(
    { length: 3 },
    () =>
      new Promise<void>((resolve) => {
        const response = new ServerResponse(new IncomingMessage(new Socket()));
        response.end = (body: unknown) => {
          sent.push(body);
          resolve();
          return response;
        };
        sendFile(new IncomingMessage(new Socket()), response, packed);
      }),
  );
  await Promise.all(ends);
  expect(new Set(sent).size).toBe(1);
  expect(String(sent[0])).toBe(TEXT);
});

it('sendFile sends the compressed file to a client that accepts brotli', async () => {
  isPacked = true;
  const { headers, body } = await ask('gzip, br');
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(body.length) });
  expect(brotliDecompressSync(body).toString()).toBe(TEXT);
});

it('sendFile replies to HEAD with the length of the body', async () => {
  isPacked = true;
  const { headers, body } = await ask('', 'HEAD');
  expect([headers['content-length'], body.length]).toEqual([String(TEXT.length), 0]);
});
