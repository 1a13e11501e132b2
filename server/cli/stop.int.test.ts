// Ending a process and all its descendants on the command line.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { osProcess } from '../host/os-process.ts';
import { sessionMembers } from '../host/os-session.ts';
import { CommandLine, lines, untilPrinted } from '../testing/command-line.ts';
import { FaultProxy } from '../testing/fault-proxy.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

describe('stop', () => {
  it('[CL10] kills a process that ignores SIGTERM after the grace period, with all its children', async () => {
    const key = await line.started(
      'stubborn',
      `trap '' TERM; (trap '' TERM; sleep 1000 & wait) & echo ready; wait`,
    );
    const before = (await line.processes()).find((info) => info.key === key);
    expect(sessionMembers(before?.pid ?? 0)).toHaveLength(3);
    const { code, stdout } = await line.outcome(['stop', '--grace', '0.3', '--json', 'stubborn']);
    const ended = { key, running: true, exitCode: 137, signal: 'SIGKILL' };
    expect([code, lines(stdout)]).toEqual([0, [{ ...ended, survivors: [], escaped: [], outputHeld: false }]]);
    expect(sessionMembers(before?.pid ?? 0)).toEqual([]);
    expect((await line.outcome(['stop', key])).stderr).toBe('exec-console: the process had already ended\n');
  });

  it('[CL10] names a child that has left the OS session, and ends it with --escaped', async () => {
    const key = await line.started('daemon', `setsid sh -c 'echo ready; exec sleep 1000' & wait`);
    const { code, stderr } = await line.outcome(['stop', key]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/still running outside its OS session: sleep \(\d+\); .+ stop --escaped /),
    ]);
    expect((await line.outcome(['stop', '--escaped', key])).code).toBe(0);
    expect(osProcess(Number(/\((\d+)\)/.exec(stderr)?.[1]))).toBeNull();
  });

  it('[CL10] names a child that has left the OS session although its parents have exited and its output is closed', async () => {
    const daemon = 'echo ready; exec sleep 1000 </dev/null >/dev/null 2>&1';
    const key = await line.started('orphan', `( (setsid sh -c '${daemon}' &) ); sleep 1000`);
    const { code, stdout } = await line.outcome(['stop', '--json', key]);
    const [{ escaped }] = lines(stdout) as [{ escaped: { pid: number }[] }];
    expect([code, escaped]).toEqual([1, [{ pid: expect.any(Number), name: 'sleep' }]]);
    expect((await line.outcome(['stop', '--escaped', key])).code).toBe(0);
    expect(osProcess(escaped[0]?.pid ?? 0)).toBeNull();
  });

  it('[CL10] reports that the output pipe is still open while an unknown process holds it', async () => {
    const key = await line.started('held', 'echo ready; sleep 1000');
    const { pid } = (await line.processes()).find((info) => info.key === key) ?? { pid: 0 };
    const held = openSync(`/proc/${pid}/fd/1`, 'w');
    const { code, stdout } = await line.outcome(['stop', '--json', key]);
    expect([code, lines(stdout)]).toMatchObject([1, [{ survivors: [], escaped: [], outputHeld: true }]]);
    expect((await line.outcome(['stop', key])).stderr).toContain('its output pipe is still open');
    closeSync(held);
    expect((await line.outcome(['stop', key])).code).toBe(0);
  });

  it('[CL10] allows a process to end by itself', async () => {
    const key = await line.started(
      'polite',
      `trap 'exit 8' TERM; echo ready; while :; do read -rt 1 <> <(:); done`,
    );
    const { stdout } = await line.outcome(['stop', '--json', key]);
    expect(lines(stdout)).toMatchObject([{ running: true, exitCode: 8, signal: null }]);
  });

  it('[CL8] [CL10] continues to wait after a lost connection', async () => {
    const key = await line.started(
      'cut-off',
      `trap 'echo asked' TERM; echo ready; while :; do read -rt 1 <> <(:); done`,
    );
    const proxy = await FaultProxy.listen(Number(new URL(line.url).port));
    const { token } = line.announced();
    const env = { EXEC_CONSOLE_URL: `ws://127.0.0.1:${proxy.port}`, EXEC_CONSOLE_TOKEN: token };
    const printed = untilPrinted(line.spawn(['logs', '-f', key]).stdout, 'asked');
    const stopping = line.spawn(['stop', '--grace', '600', key], env);
    const exit = once(stopping, 'exit');
    await printed;
    proxy.cut();
    await untilPrinted(stopping.stderr, 'reconnected');
    expect(stopping.exitCode).toBe(null);
    await line.outcome(['signal', key, 'KILL']);
    expect(await exit).toEqual([0, null]);
    await proxy.close();
  });
});
