// Tests of the table of roles and their methods.
import { expect, it } from 'vitest';
import { mayCall } from './roles.ts';

it.each([
  // An agent may use only its own session.
  ['agent', 'process/start', false, true],
  ['agent', 'process/start', true, false],
  ['agent', 'process/write', false, true],
  ['agent', 'process/write', true, false],
  ['agent', 'process/read', true, false],
  ['agent', 'process/resize', false, true],
  ['agent', 'process/attach', true, false],
  ['agent', 'console/watch', false, false],
  // An observer sees everything and changes nothing.
  ['observer', 'console/watch', false, true],
  ['observer', 'process/read', true, true],
  ['observer', 'process/attach', true, true],
  ['observer', 'process/ack', true, true],
  ['observer', 'process/wait', true, true],
  ['observer', 'process/start', false, false],
  ['observer', 'process/start', true, false],
  ['observer', 'process/write', true, false],
  ['observer', 'process/signal', true, false],
  ['observer', 'process/terminate', true, false],
  ['observer', 'process/control', true, false],
  ['observer', 'process/resize', true, false],
  ['observer', 'process/closeStdin', true, false],
  ['operator', 'process/start', false, true],
  ['operator', 'process/start', true, true],
  ['operator', 'process/write', true, true],
  ['operator', 'process/terminate', true, true],
  ['operator', 'process/control', true, true],
  ['admin', 'process/terminate', true, true],
] as const)(
  '[AU4] mayCall for the role %s, the method %s, beyond its own session %s: %s',
  (role, method, isBeyondOwn, expected) => {
    expect(mayCall(role, method, isBeyondOwn)).toBe(expected);
  },
);
