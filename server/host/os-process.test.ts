// Parsing of the process tables of Linux and macOS, and of this system's own table.
import { describe, expect, it } from 'vitest';
import { osProcess, osProcesses, parsePs, startTimeNow } from './os-process.ts';

describe('The output of ps', () => {
  const output = [
    '    1     0     1      0 ??       Ss   Mon Nov 16 08:00:01 2026     /sbin/launchd',
    '  500     1   500    502 ttys001  Ss   Fri Nov 20 20:00:00 2026     /bin/zsh',
    '  502   500   502    502 ttys001  S+   Fri Nov 20 20:00:05 2026     /opt/My Tools/make it',
    '  503   502   503    502 ttys001  Z    Fri Nov 20 20:00:06 2026     (sh)',
    '  600     1   600      0 ??       S    Fri Nov 20 20:01:00 2026     node',
    '  601   600   600      0 ??       S    Fri Nov 20 20:01:01 2026     sleep',
  ].join('\n');
  const table = new Map(parsePs(output).map((each) => [each.pid, each]));

  it('assigns processes of one terminal to the session of its leader', () => {
    expect(table.get(502)).toEqual({
      pid: 502,
      parent: 500,
      group: 502,
      session: 500,
      foreground: 502,
      startTime: Date.parse('Fri Nov 20 20:00:05 2026'),
      name: 'make it',
      image: '/opt/My Tools/make it',
    });
  });

  it('assigns processes without a terminal to the session of their group', () => {
    expect([table.get(600)?.session, table.get(601)?.session]).toEqual([600, 600]);
  });

  it('is read without zombies', () => {
    expect([...table.keys()]).toEqual([1, 500, 502, 600, 601]);
  });
});

describe('The process table of this system', () => {
  it('has this process, with a start in the past', () => {
    const self = osProcess(process.pid);
    expect(self?.parent).toBe(process.ppid);
    expect(self?.startTime).toBeLessThanOrEqual(startTimeNow());
    expect(osProcesses().find(({ pid }) => pid === process.pid)?.startTime).toBe(self?.startTime);
  });

  it('has no process with an impossible PID', () => {
    expect(osProcess(2 ** 30)).toBeNull();
  });
});
