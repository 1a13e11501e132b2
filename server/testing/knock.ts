// Sends raw bytes to a gateway's port, and returns the response.
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

/** Resolves with everything received until the connection ends; with an empty text when the connection fails. */
export function knockAt(server: TestServer, bytes: string | readonly string[]): Promise<string> {
  const socket = openSocket(server);
  socket.write([bytes].flat().join('\r\n'));
  return text(socket).catch(() => '');
}

export function openSocket(server: TestServer): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  return socket;
}

export const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

/** Makes a valid request and a valid connection, and expects both to be served. */
export async function visitHonestly(server: TestServer): Promise<void> {
  const answer = await fetch(`${server.url.replace('ws', 'http')}/auth/identity`, {
    headers: { authorization: `Bearer ${server.token('observer')}` },
  });
  expect(await answer.json()).toMatchObject({ role: 'observer' });
  const client = await server.client('agent');
  await client.request('environment/info');
  await client.cut();
}
