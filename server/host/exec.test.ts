// Tests that a refused exec changes no descriptor.
import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { execWith } from './exec.ts';
import { closeAtExec, closesAtExec, keepAtExec } from './libc.ts';

let others: readonly [number, number];
beforeEach(() => {
  others = [openSync('/dev/null', 'r'), openSync('/dev/null', 'r')];
});
afterEach(() => others.forEach((fd) => closeSync(fd)));

it.each([true, false])(
  'execWith restores all descriptors after a refusal (closed at exec: %s)',
  (isClosed) => {
    const all = [0, 1, 2, ...others];
    const before = all.map(closesAtExec);
    const set = isClosed ? closeAtExec : keepAtExec;
    try {
      for (const fd of all) set(fd);
      expect(execWith(others, ['/none/program']).code).toBe('ENOENT');
      expect(all.map(closesAtExec)).toEqual(all.map(() => isClosed));
    } finally {
      for (const [at, fd] of all.entries()) (before[at] ? closeAtExec : keepAtExec)(fd);
    }
  },
);
