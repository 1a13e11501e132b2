// Where a command's plain requests go.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { ask } from './ask.ts';

it.each([
  ['', '/auth/identity'],
  ['/', '/auth/identity'],
  ['/console', '/console/auth/identity'],
  ['/a/console/', '/a/console/auth/identity'],
])('[CL3] to a gateway at %j it goes below that path', async (path, expected) => {
  const asked: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization]);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`ws://127.0.0.1:${port}${path}`);
  await ask({ url, token: 'secret', pid: null, fingerprint: () => null }, 'GET', '/auth/identity');
  server.close();
  expect(asked).toEqual([[expected, 'Bearer secret']]);
});
