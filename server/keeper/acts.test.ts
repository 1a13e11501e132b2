// Attribution of an exit to the sender of the signal or the requester of the termination that caused it; to no one when
// the process exited by itself.
import { expect, it } from 'vitest';
import { Acts } from './acts.ts';
import type { ChildExit } from '../host/child.ts';

const INTERRUPTED: ChildExit = { code: 130, signal: null };
const BY_SIGINT: ChildExit = { code: 130, signal: 'SIGINT' };
const BY_SIGTERM: ChildExit = { code: 143, signal: 'SIGTERM' };
const BY_SIGKILL: ChildExit = { code: 137, signal: 'SIGKILL' };
const LEFT: ChildExit = { code: 0, signal: null };

/**
 * Returns the end as `how by who`, or null when it is attributed to no one; each act is `who how`, or `who types
 * text`.
 */
function endedBy(acts: readonly string[], exit: ChildExit, isTerminating = false): string | null {
  const tried = new Acts({ seal: () => {}, nextSeq: 1, exitedSeq: null });
  for (const act of acts) {
    const [who = '', how = '', text = ''] = act.split(' ');
    if (how === 'types') tried.typed(who, Buffer.from(text));
    else tried.record(who, how as 'interrupt');
  }
  tried.ended(exit, isTerminating);
  return tried.endedBy && `${tried.endedBy.how} by ${tried.endedBy.who}`;
}

it.each([
  ['the sender of the signal that ended it', ['Ada interrupt'], BY_SIGINT, 'interrupt by Ada'],
  [
    'the person who pressed the interrupt key, when a shell reports the exit',
    ['Ada types \u0003'],
    INTERRUPTED,
    'interrupt by Ada',
  ],
  [
    'the person who pressed the interrupt key, although more was typed while it ended',
    ['Ada types \u0003', 'Bob types x'],
    BY_SIGINT,
    'interrupt by Ada',
  ],
  [
    'the sender of the later of two signals',
    ['Ada interrupt', 'Bob terminate'],
    BY_SIGTERM,
    'terminate by Bob',
  ],
  [
    'the sender of the signal before a resume',
    ['Ada interrupt', 'Bob resume'],
    BY_SIGINT,
    'interrupt by Ada',
  ],
  ['nobody, when a shell exits after more input', ['Ada types \u0003', 'Ada types exit'], INTERRUPTED, null],
  ['nobody, when its input was closed afterwards', ['Ada interrupt', 'Ada closeStdin'], INTERRUPTED, null],
  ['nobody, when it exits by itself', ['Ada interrupt'], LEFT, null],
  ['nobody, when another signal ended it', ['Ada interrupt'], BY_SIGKILL, null],
])('Acts attributes the end of a process to %s', (_, acts, exit, expected) => {
  expect(endedBy(acts, exit)).toBe(expected);
});

it.each([
  ['when it exits in the grace period', ['Ada terminate'], LEFT, 'terminate by Ada'],
  ['when the gateway kills it after the grace period', ['Ada terminate'], BY_SIGKILL, 'terminate by Ada'],
  ['when another person resumes it', ['Ada terminate', 'Bob resume'], BY_SIGTERM, 'terminate by Ada'],
  [
    'when another client closes its input',
    ['Ada terminate', 'agent closeStdin'],
    BY_SIGTERM,
    'terminate by Ada',
  ],
  ['unless another person kills it', ['Ada terminate', 'Bob kill'], BY_SIGKILL, 'kill by Bob'],
  [
    'when another person interrupts it without effect',
    ['Ada terminate', 'Bob interrupt'],
    LEFT,
    'terminate by Ada',
  ],
])(
  'Acts attributes the end of a terminated process to the person who terminated it %s',
  (_, acts, exit, expected) => {
    expect(endedBy(acts, exit, true)).toBe(expected);
  },
);

it('Acts attributes the end of a process to the gateway when its session has expired', () => {
  expect(endedBy(['gateway sessionExpired'], BY_SIGKILL)).toBe('sessionExpired by gateway');
});
