// Tests of the order of parked requests, and of their end when the connection ends: rules PK.
import { beforeEach, expect, it, vi } from 'vitest';
import { afterStarts, Parking } from './parking.ts';
import type { Peer } from './peer.ts';

let listeners: Set<() => void>;
let isEnding: boolean;
let parking: Parking;
let done: string[];
beforeEach(() => {
  listeners = new Set();
  isEnding = false;
  done = [];
  parking = new Parking({
    get isEnding() {
      return isEnding;
    },
    onEnding: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
});

function decision() {
  let allow = (): void => {};
  let refuse = (_reason: Error): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    allow = resolve;
    refuse = reject;
  });
  return { promise, allow, refuse };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const act = (name: string) => (): string => (done.push(name), name);

const P = { processId: 'p' };

it('[PK1] a request takes effect once it is allowed, and requests about its process wait behind it', async () => {
  const asked = decision();
  const start = parking.inTurn(P, asked.promise, act('start'));
  expect([parking.isBefore(P), parking.isBefore({ processId: 'other' }), parking.isBefore(null)]).toEqual([
    true,
    false,
    false,
  ]);
  const write = parking.inTurn(P, null, act('write'));
  const other = parking.inTurn({ processId: 'other' }, null, act('other'));
  await other;
  expect(done).toEqual(['other']);
  asked.allow();
  expect(await Promise.all([start, write])).toEqual(['start', 'write']);
  expect(done).toEqual(['other', 'start', 'write']);
  await settle();
  expect(parking.isBefore(P)).toBe(false);
  expect(listeners.size).toBe(0);
});

it('[PK1] a refused request does nothing, and those behind it continue', async () => {
  const asked = decision();
  const start = parking.inTurn(P, asked.promise, act('start'));
  const write = parking.inTurn(P, null, act('write'));
  asked.refuse(new Error('declined'));
  await expect(start).rejects.toThrow('declined');
  expect(await write).toBe('write');
  expect(done).toEqual(['write']);
  await settle();
  expect(parking.isBefore(P)).toBe(false);
});

it('[PK1] a request behind a start waits until the process exists, and behind a write only for its turn', async () => {
  const [started, written] = [decision(), decision()];
  const start = parking.inTurn(P, Promise.resolve(), () => started.promise.then(act('started')));
  const write = parking.inTurn(P, null, () => (act('write')(), written.promise));
  const close = parking.inTurn(P, null, act('close'));
  await settle();
  expect(done).toEqual([]);
  started.allow();
  await Promise.all([start, close]);
  expect(done).toEqual(['started', 'write', 'close']);
  written.allow();
  await write;
});

it('[PK3] nothing takes effect for a connection that has ended while it waited', async () => {
  const asked = decision();
  const start = parking.inTurn(P, asked.promise, act('start'));
  const write = parking.inTurn(P, null, act('write'));
  const refused = [start, write].map((each) =>
    expect(each).rejects.toThrow('the connection was closed, so nothing was done'),
  );
  for (const listener of listeners) listener();
  await Promise.all(refused);
  asked.allow();
  isEnding = true;
  const late = parking.inTurn(P, Promise.resolve(), act('late'));
  await expect(late).rejects.toThrow('the connection was closed');
  await settle();
  expect([done, listeners.size]).toEqual([[], 0]);
});

it('[PK1] processes of the console and of the caller’s session are different, and a restart is about its new process', async () => {
  const asked = decision();
  const inConsole = { processId: 'p', session: 'console' };
  const parked = parking.inTurn(inConsole, asked.promise, act('start'));
  const restart = parking.inTurn({ processId: 'q', newProcessId: 'new' }, asked.promise, act('restart'));
  const none = parking.inTurn({ key: 'k' }, asked.promise, act('none'));
  expect([inConsole, P, { newProcessId: 'p' }].map((params) => parking.isBefore(params))).toEqual([
    true,
    false,
    true,
  ]);
  expect(parking.isBefore({ processId: 'new', session: 'console' })).toBe(true);
  expect([{ processId: 'q' }, { processId: 5 }, {}].some((params) => parking.isBefore(params))).toBe(false);
  asked.allow();
  await Promise.all([parked, restart, none]);
});

it('[PK1] only a start or restart without a decision is parked', async () => {
  const decide = afterStarts(() => null, true);
  const peer = {} as Peer;
  expect(decide(peer, 'process/write', {})).toBeNull();
  for (const method of ['process/start', 'process/restart'] as const)
    expect(await decide(peer, method, {})).toBeUndefined();
  const given = Promise.resolve();
  const inner = vi.fn(() => given);
  expect(afterStarts(inner, true)(peer, 'process/write', P)).toBe(given);
  expect(inner).toHaveBeenCalledWith(peer, 'process/write', P);
});
