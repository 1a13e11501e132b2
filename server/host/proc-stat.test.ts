// Lines of /proc/PID/stat, and the values of this process.
import { describe, expect, it } from 'vitest';
import { parseProcStat, procPids, procStat } from './proc-stat.ts';

/** Returns a line of /proc/PID/stat. `threads` distinguishes a program whose first thread has ended from a zombie. */
const line = (name: string, state: string, threads = 1): string =>
  `77 (${name}) ${state} 1 71 70 34816 72 4194304 171 0 0 0 12 5 4 3 20 0 ${threads} 0 1234 4096000 25 18446744073709551615 1 1 140722 0 0\n`;

describe('parseProcStat', () => {
  it.each(['sh', 'a b', 'x) R 9 9', '(sd-pam)', ''])('reads the fields after the name "%s"', (name) => {
    expect(parseProcStat(77, line(name, 'S'))).toEqual({
      pid: 77,
      name,
      hasEnded: false,
      parent: 1,
      group: 71,
      session: 70,
      terminal: 34_816,
      foreground: 72,
      cpuTicks: 17,
      childTicks: 7,
      startTime: 1234,
      memoryPages: 25,
      stack: 140_722,
    });
  });

  it('reads a terminal beyond 31 bits as the number that stat(2) returns', () => {
    expect(parseProcStat(77, line('sh', 'S').replace(' 34816 ', ' -2147448832 '))?.terminal).toBe(
      2_147_518_464,
    );
  });

  it('marks a zombie as ended unless it has other running threads', () => {
    expect(parseProcStat(77, line('sh', 'Z'))?.hasEnded).toBe(true);
    expect(parseProcStat(77, line('sh', 'Z', 2))?.hasEnded).toBe(false);
  });

  it.each([
    ['a process that is being removed', line('sh', 'X')],
    ['a line that is cut', line('sh', 'S').slice(0, 60)],
    ['nothing', ''],
  ])('returns null for %s', (_, text) => {
    expect(parseProcStat(77, text)).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('procStat', () => {
  it('finds this process, which procPids lists', () => {
    expect(procPids()).toContain(process.pid);
    expect(procStat(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid, hasEnded: false });
  });

  it('returns null for a PID that no process has', () => {
    expect(procStat(2 ** 30)).toBeNull();
  });
});
