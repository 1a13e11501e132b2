// Tests that a refused exec changes no descriptor, and no action of a signal.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exec, execWith } from './exec.ts';
import { closeAtExec, closesAtExec, keepAtExec } from './libc.ts';

let others: readonly [number, number];
beforeEach(() => {
  others = [openSync('/dev/null', 'r'), openSync('/dev/null', 'r')];
});
afterEach(() => others.forEach((fd) => closeSync(fd)));

/** Flags of stdio, and the signals that this process ignores. */
const stateOf = () => [
  ...[0, 1, 2].map((fd) => /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]),
  /^SigIgn:\s+(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
];

it.each([true, false])(
  'exec and execWith restore all descriptors after a refusal (closed at exec: %s)',
  (isClosed) => {
    const all = [0, 1, 2, ...others];
    const before = all.map(closesAtExec);
    const set = isClosed ? closeAtExec : keepAtExec;
    try {
      for (const fd of all) set(fd);
      expect(execWith(others, ['/none/program']).code).toBe('ENOENT');
      expect(exec('/none/program', ['program'], {}).code).toBe('ENOENT');
      expect(all.map(closesAtExec)).toEqual(all.map(() => isClosed));
    } finally {
      for (const [at, fd] of all.entries()) (before[at] ? closeAtExec : keepAtExec)(fd);
    }
  },
);

it.runIf(process.platform === 'linux')(
  'a refused exec restores non-blocking stdio and ignored signals',
  () => {
    const before = stateOf();
    expect(before).not.toContain(undefined);
    // SIGPIPE is signal 13.
    expect(Number.parseInt(before[3] ?? '', 16) & (1 << 12)).not.toBe(0);
    expect(exec('/none/program', ['program'], {}).code).toBe('ENOENT');
    expect(stateOf()).toEqual(before);
  },
);
