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
  ['an agent’s that works', ofAgent, present('admin'), false],
  ['an agent’s that waiting for input', { ...ofAgent, waitsForInput: true }, present('operator'), true],
  ['one’s own', ofPage, present('admin'), true],
  ['another person’s', ofPage, present('admin', 'Ada'), false],
  ['one that waits for approval', { ...ofPage, state: 'waiting-for-approval' }, present('admin'), false],
  ['one’s own that has ended', { ...ofPage, state: 'closed' }, present('admin'), false],
  ['one’s own without a terminal', { ...ofPage, tty: false }, present('admin'), false],
  ['one that waits, for an observer', { ...ofAgent, waitsForInput: true }, present('observer'), false],
  [
    'one that waits, while offline',
    { ...ofAgent, waitsForInput: true },
    { people: [], connection: { kind: 'idle' } },
    false,
  ],
] as const)('A terminal opens with the keyboard or without: %s', (_, info, who, isReady) => {
  expect(isReadyToType(info, who)).toBe(isReady);
});
