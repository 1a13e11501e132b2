// A test of the stream that shows the gateway that `exec-console mcp` is connected: it is reopened after each loss.
import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { Asked } from './ask.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { McpGateway } from './mcp-gateway.ts';

const waits = vi.hoisted((): number[] => []);
const streams = vi.hoisted((): string[] => []);

vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  },
}));

vi.mock('./ask.ts', () => ({
  authorization: () => Promise.resolve('proof'),
  openReused: () => Promise.resolve(null),
  open: (_address: unknown, { method }: Asked) => {
    const body = JSON.stringify({ result: { protocolVersion: '2025-11-25' } });
    const headers = { 'mcp-session-id': 'id' };
    if (method === 'POST')
      return Promise.resolve(Object.assign(Readable.from([body]), { statusCode: 200, headers }));
    const next = streams.shift() ?? 'gone';
    if (next === 'unreachable')
      return Promise.reject(new CommandFailed(ExitCode.connectionLost, 'the gateway is not reachable'));
    const statusCode = next === 'closes' ? 200 : 404;
    return Promise.resolve(Object.assign(Readable.from([]), { statusCode, headers }));
  },
}));

it('is opened again until the gateway can be reached, at growing intervals', async () => {
  const away = Array.from({ length: 6 }, () => 'unreachable');
  streams.push('closes', ...away, 'closes', 'unreachable');
  const gateway = new McpGateway({
    reach: () =>
      Promise.resolve({
        url: new URL('ws://127.0.0.1:1'),
        token: 'token',
        pid: null,
        fingerprint: () => null,
      }),
    refused: () => undefined,
  });
  await gateway.begin({});
  await gateway.send({ method: 'notifications/initialized' }, new AbortController().signal, () => undefined);
  await expect.poll(() => streams).toEqual([]);
  await expect.poll(() => waits.length).toBe(9);
  expect(waits).toEqual([500, 2000, 5000, 10_000, 20_000, 20_000, 20_000, 500, 2000]);
});
