// Attribution of a process's end: to the sender of the signal that ended it, or of a terminate; none when it exited by
// itself.
import { expect, it } from 'vitest';
import { Acts } from './acts.ts';
import type { ChildExit } from '../host/child.ts';

const INTERRUPTED: ChildExit = { code: 130, signal: null };
const BY_SIGINT: ChildExit = { code: 130, signal: 'SIGINT' };
const BY_SIGTERM: ChildExit = { code: 143, signal: 'SIGTERM' };
const BY_SIGKILL: ChildExit = { code: 137, signal: 'SIGKILL' };
const LEFT: ChildExit = { code: 0, signal: null };

/** Each act is `who how`, or `who types text`; who ended it, and by what. */
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
  ['a signal that it died of', ['Ada interrupt'], BY_SIGINT, 'interrupt by Ada'],
  ['a key, as a shell tells it', ['Ada types \u0003'], INTERRUPTED, 'interrupt by Ada'],
  [
    'a key, though more was typed while it died',
    ['Ada types \u0003', 'Bob types x'],
    BY_SIGINT,
    'interrupt by Ada',
  ],
  ['the newest of two', ['Ada interrupt', 'Bob terminate'], BY_SIGTERM, 'terminate by Bob'],
  ['the one before what only let it go on', ['Ada interrupt', 'Bob resume'], BY_SIGINT, 'interrupt by Ada'],
  ['nobody, when a shell is left later', ['Ada types \u0003', 'Ada types exit'], INTERRUPTED, null],
  ['nobody, when its input was closed later', ['Ada interrupt', 'Ada closeStdin'], INTERRUPTED, null],
  ['nobody, when it exits as it likes', ['Ada interrupt'], LEFT, null],
  ['nobody, when another signal ended it', ['Ada interrupt'], BY_SIGKILL, null],
])('tells %s', (_, acts, exit, expected) => {
  expect(endedBy(acts, exit)).toBe(expected);
});

it.each([
  ['in the grace', ['Ada terminate'], LEFT, 'terminate by Ada'],
  ['and killed by the gateway after it', ['Ada terminate'], BY_SIGKILL, 'terminate by Ada'],
  ['and let go on by another', ['Ada terminate', 'Bob resume'], BY_SIGTERM, 'terminate by Ada'],
  [
    'and given no more input by another',
    ['Ada terminate', 'agent closeStdin'],
    BY_SIGTERM,
    'terminate by Ada',
  ],
  ['and killed by another', ['Ada terminate', 'Bob kill'], BY_SIGKILL, 'kill by Bob'],
  [
    'and interrupted by another, of which it did not die',
    ['Ada terminate', 'Bob interrupt'],
    LEFT,
    'terminate by Ada',
  ],
])('tells who terminated it: %s', (_, acts, exit, expected) => {
  expect(endedBy(acts, exit, true)).toBe(expected);
});

it('tells that the gateway did', () => {
  expect(endedBy(['gateway sessionExpired'], BY_SIGKILL)).toBe('sessionExpired by gateway');
});
