// Connections that stay open, and are reused by later requests of a command.
import { once } from 'node:events';
import { Agent as AgentInTheClear, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as AgentWithTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { open } from './ask.ts';
import { ReusedConnections } from './reused-connections.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ok: Answer = (_, response) => void response.end('ok');

/** Starts a server that sends these replies one after the other, and a client that reuses its connections. */
async function pair(answers: readonly Answer[]) {
  const made: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    made.push(request.method ?? '');
    (answers[made.length - 1] ?? ok)(request, response);
  }).listen(0, '127.0.0.1');
  server.on('connection', () => (connections += 1));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const reused = new ReusedConnections();
  const address = { url, token: '', pid: null, fingerprint: () => null };
  const ask = async (method: string, silentMs = 20_000): Promise<string> => {
    const { signal } = new AbortController();
    const asked = { method, path: '/mcp', headers: {}, signal, silentMs, connections: reused };
    const response = await open(address, asked);
    return text(response);
  };
  return { ask, reused, made, connections: () => connections };
}

const cut: Answer = ({ socket }) => void socket.destroy();

it('[MC13] successive requests use one connection', async () => {
  const { ask, connections } = await pair([]);
  for (const method of ['GET', 'POST', 'GET', 'POST']) expect(await ask(method)).toBe('ok');
  expect(connections()).toBe(1);
});

it('[MC13] a GET request whose reused connection is lost is repeated on a new one', async () => {
  const { ask, made, connections } = await pair([ok, cut]);
  await ask('GET');
  expect(await ask('GET')).toBe('ok');
  expect(made).toEqual(['GET', 'GET', 'GET']);
  expect(connections()).toBe(2);
});

it('[MC13] a message whose connection is lost is not sent again', async () => {
  const { ask, made } = await pair([ok, cut]);
  await ask('GET');
  await expect(ask('POST')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(made).toEqual(['GET', 'POST']);
});

it('[MC13] a GET request whose first connection is lost is not repeated', async () => {
  const { ask, made } = await pair([cut]);
  await expect(ask('GET')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(made).toEqual(['GET']);
});

it('[MC10] a request fails when its gateway sends nothing for a while, before the answer or within it', async () => {
  const begun: Answer = (_, response) => void response.write('begun');
  const { ask } = await pair([ok, () => undefined, begun]);
  await ask('GET');
  await expect(ask('POST', 50)).rejects.toThrow('the gateway does not respond');
  await expect(ask('POST', 50)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await ask('POST')).toBe('ok');
});

it('[MC13] forgotten connections are not used again', async () => {
  const { ask, reused, connections } = await pair([]);
  await ask('GET');
  reused.forget();
  await ask('GET');
  expect(connections()).toBe(2);
});

it('[MC13] connections are reused only for the same protocol and certificate', () => {
  const reused = new ReusedConnections();
  const clear = reused.agent('http:', null);
  expect(reused.agent('http:', null)).toBe(clear);
  expect(clear).toBeInstanceOf(AgentInTheClear);
  const encrypted = reused.agent('https:', null);
  expect(encrypted).toBeInstanceOf(AgentWithTls);
  expect(reused.agent('https:', 'pin')).not.toBe(encrypted);
  expect(reused.agent('http:', null)).not.toBeInstanceOf(AgentWithTls);
});
