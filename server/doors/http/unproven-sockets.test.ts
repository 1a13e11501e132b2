// Unauthenticated sockets: rule LI5.
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UnprovenSockets } from './unproven-sockets.ts';

let port = 1000;
const socket = (): Socket => {
  port += 1;
  return Object.defineProperty(new Socket(), 'remotePort', { value: port });
};

describe('[LI5] Unauthenticated sockets', () => {
  it('are limited in number: for one more, the oldest is closed', () => {
    const unproven = new UnprovenSockets(2);
    const [first, second, third] = [socket(), socket(), socket()];
    unproven.add(first);
    unproven.add(second);
    expect(first.destroyed).toBe(false);
    unproven.add(third);
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('count separately when one port of a client reaches several addresses', () => {
    const unproven = new UnprovenSockets(2);
    const [first, second, third] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].map((localAddress) =>
      Object.defineProperties(new Socket(), {
        remotePort: { value: 1 },
        localAddress: { value: localAddress },
      }),
    ) as [Socket, Socket, Socket];
    unproven.add(first);
    unproven.add(second);
    unproven.proved(second);
    unproven.add(third);
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    unproven.add(second);
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('no longer count when they have authenticated or are closed', async () => {
    const unproven = new UnprovenSockets(1);
    const [proved, gone, here] = [socket(), socket(), socket()];
    unproven.add(proved);
    unproven.proved(proved);
    unproven.add(gone);
    gone.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    unproven.add(here);
    expect([proved, here].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});
