// Terminals that open with the keyboard focus.
import { expect, it } from 'vitest';
import type { Present } from './people.ts';
import { isReadyToType } from './ready-to-type.ts';

const ofAgent = {
  tty: true,
  state: 'running',
  waitsForInput: false,
  session: 's-1',
  startedBy: 'the operator',
} as const;
const ofPage = { ...ofAgent, session: 'console' } as const;

const present = (role: 'observer' | 'operator' | 'admin', name = 'the operator'): Present =>
  ({
    people: [{ connection: 'c1', token: 't', name, role, sinceMs: 0 }],
    connection: { kind: 'online', connection: 'c1', role },
  }) as unknown as Present;

it.each([
  ['an agent’s terminal that is running', ofAgent, present('admin'), false],
  [
    'an agent’s terminal that is waiting for input',
    { ...ofAgent, waitsForInput: true },
    present('operator'),
    true,
  ],
  ['one’s own terminal', ofPage, present('admin'), true],
  ['another person’s terminal', ofPage, present('admin', 'Ada'), false],
  [
    'a process that is waiting for approval',
    { ...ofPage, state: 'waiting-for-approval' },
    present('admin'),
    false,
  ],
  ['one’s own terminal that has ended', { ...ofPage, state: 'closed' }, present('admin'), false],
  ['one’s own process without a terminal', { ...ofPage, tty: false }, present('admin'), false],
  ['a waiting terminal, for an observer', { ...ofAgent, waitsForInput: true }, present('observer'), false],
  [
    'a waiting terminal, while offline',
    { ...ofAgent, waitsForInput: true },
    { people: [], connection: { kind: 'idle' } },
    false,
  ],
] as const)('A terminal opens ready to type only when it should: %s', (_, info, who, isReady) => {
  expect(isReadyToType(info, who)).toBe(isReady);
});
