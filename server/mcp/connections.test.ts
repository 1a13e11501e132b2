// Connections to /mcp that several tokens use: rules AU5 and AU6.
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Identity } from '../policy/identity.ts';
import { McpConnections } from './connections.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const identity = (tokenId: string, expiresAtMs: number | null = null): Identity => ({
  tokenId,
  name: tokenId,
  role: 'agent',
  expiresAtMs,
});

function make() {
  const taken = new Set<string>();
  const given = { count: 0 };
  const take = ({ tokenId }: Identity): (() => void) => {
    taken.add(tokenId);
    return () => {
      taken.delete(tokenId);
      given.count += 1;
    };
  };
  return {
    taken,
    given,
    socket: new Socket(),
    connections: new McpConnections({ whyFull: () => null, take }),
  };
}

it('[AU6] a connection closes when a token that used it expires, even if another token has used it since', () => {
  const { connections, socket, taken } = make();
  const answer = new EventEmitter();
  connections.begin(socket, answer, identity('short', Date.now() + 1000));
  connections.begin(socket, new EventEmitter(), identity('other'));
  expect([...taken]).toEqual(['short', 'other']);
  vi.advanceTimersByTime(1000);
  expect(socket.destroyed).toBe(true);
});

it('[AU5] a connection closes when a token that used it is revoked, even if another token has used it since', () => {
  const { connections, socket } = make();
  connections.begin(socket, new EventEmitter(), identity('revoked'));
  connections.begin(socket, new EventEmitter(), identity('other'));
  connections.revoke('revoked');
  vi.runAllTimers();
  expect(socket.destroyed).toBe(true);
});

it.each([
  ['before', true],
  ['after', false],
])(
  'a token no longer counts for a connection when its last answer ended %s the request of the next token',
  (_, isBefore) => {
    const { connections, socket, taken } = make();
    const answer = new EventEmitter();
    connections.begin(socket, answer, identity('gone', Date.now() + 1000));
    if (isBefore) answer.emit('close');
    connections.begin(socket, new EventEmitter(), identity('other'));
    if (!isBefore) answer.emit('close');
    expect([...taken]).toEqual(['other']);
    vi.advanceTimersByTime(2000);
    expect(socket.destroyed).toBe(false);
  },
);

it('a connection of one token counts until it closes', async () => {
  const { connections, socket, taken, given } = make();
  const late = new EventEmitter();
  connections.begin(socket, late, identity('one'));
  for (let call = 0; call < 3; call += 1) {
    const answer = new EventEmitter();
    connections.begin(socket, answer, identity('one'));
    answer.emit('close');
  }
  expect([...taken]).toEqual(['one']);
  vi.useRealTimers();
  socket.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect([...taken]).toEqual([]);
  late.emit('close');
  expect(given.count).toBe(1);
});
