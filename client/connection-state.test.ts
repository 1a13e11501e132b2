// Table of all connection states and events.
import { describe, expect, it } from 'vitest';
import { mayAct, next, type ConnectionEvent, type ConnectionState } from './connection-state.ts';
import type { Online } from './exec-client.ts';

const online = { connection: 'c1', session: 's1', role: 'operator' } as Online;

const states = {
  idle: { kind: 'idle' },
  connecting: { kind: 'connecting', attempt: 3 },
  initializing: { kind: 'initializing', attempt: 3 },
  online: { kind: 'online', ...online },
  waiting: { kind: 'waiting', attempt: 4, retryAtMs: 10, reason: 'cut' },
  failed: { kind: 'failed', reason: 'refused' },
} satisfies Record<string, ConnectionState>;

const events = {
  open: { kind: 'open' },
  socketOpened: { kind: 'socketOpened' },
  initialized: { kind: 'initialized', online },
  cut: { kind: 'cut', reason: 'cut', retryAtMs: 10 },
  retry: { kind: 'retry' },
  refused: { kind: 'refused', reason: 'refused' },
  close: { kind: 'close' },
} satisfies Record<string, ConnectionEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** Events that change the state; events not listed leave it unchanged. */
const moves: { readonly [state in StateName]: { readonly [event in EventName]?: ConnectionState } } = {
  idle: { open: { kind: 'connecting', attempt: 1 } },
  connecting: {
    socketOpened: states.initializing,
    cut: states.waiting,
    refused: states.failed,
    close: states.idle,
  },
  initializing: {
    initialized: states.online,
    cut: states.waiting,
    refused: states.failed,
    close: states.idle,
  },
  online: { cut: { ...states.waiting, attempt: 1 }, refused: states.failed, close: states.idle },
  waiting: { retry: { kind: 'connecting', attempt: 4 }, refused: states.failed, close: states.idle },
  failed: { open: { kind: 'connecting', attempt: 1 }, close: states.idle },
};

describe('The state of a connection', () => {
  for (const state of Object.keys(states) as StateName[]) {
    for (const event of Object.keys(events) as EventName[]) {
      const expected = moves[state][event] ?? states[state];
      it(`${state} + ${event} → ${expected.kind}`, () => {
        expect(next(states[state], events[event])).toEqual(expected);
      });
    }
  }
});

it.each([
  ['operator', true],
  ['admin', true],
  ['observer', false],
  ['agent', false],
] as const)('mayAct of an %s is %s while online, and false while offline', (role, may) => {
  expect(mayAct({ kind: 'online', ...online, role })).toBe(may);
  expect(mayAct({ kind: 'connecting', attempt: 1 })).toBe(false);
});
