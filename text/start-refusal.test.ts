// Tests that the reason of a refused start is read as it was written.
import { expect, it } from 'vitest';
import { NOT_FOUND, startRefusal, startRefusalReason } from './start-refusal.ts';

it.each(['make', 'a "b": c', 'back\\slash\\', 'new\nline'])(
  'the reason is read behind the program %j',
  (program) => {
    for (const reason of [NOT_FOUND, 'one\n"two": three'])
      expect(startRefusalReason(startRefusal(program, reason))).toBe(reason);
  },
);

it('another error has no reason', () => {
  expect(startRefusalReason('cannot start the process: the disk is full')).toBeNull();
});
