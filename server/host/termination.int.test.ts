// Terminations of real processes: SIGTERM precedes SIGKILL, everything ends, and no unrelated process is signalled.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { osProcess, osProcesses, scanBeganAtMs, startTimeNow } from './os-process.ts';
import { sessionMembers } from './os-session.ts';
import { Termination } from './termination.ts';
import { KINDS, specOf, startChild, type TestChild } from '../testing/test-child.ts';

const LONG = 60_000;

interface Terminated extends TestChild {
  readonly termination: Termination;
  /** Resolves at once if `holds` returns true, otherwise at the first change after which it does. */
  readonly when: (holds: () => boolean) => Promise<void>;
}

const running: Terminated[] = [];
afterEach(async () => {
  for (const { child, termination } of running.splice(0)) {
    termination.dispose();
    child.abandon();
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has ended, as expected.
    }
  }
});

describe.each(KINDS)('A termination of a child on $kind', ({ tty }) => {
  function start(script: string): Terminated {
    const waiting: { holds: () => boolean; resolve: () => void }[] = [];
    const started = startChild(specOf(['sh', '-c', script], { tty }));
    const termination = new Termination(started.child, () => {
      for (const { holds, resolve } of waiting) if (holds()) resolve();
    });
    void started.exited.then(() => termination.leaderExited());
    const when = (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        if (holds()) resolve();
        else waiting.push({ holds, resolve });
      });
    const terminated = { ...started, termination, when };
    running.push(terminated);
    return terminated;
  }

  const pidOf = ({ output }: Terminated, name: string): number =>
    Number(new RegExp(`${name}=(\\d+)`).exec(output().toString())?.[1]);
  /** Blocks the event loop until the child is a zombie. */
  function untilZombie({ child: { pid } }: Terminated): void {
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) continue;
  }
  const over =
    ({ termination }: Terminated) =>
    () =>
      termination.state === null;

  it('sends SIGTERM, and is over at the exit', async () => {
    const it = start('trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.01; done');
    await it.printed('ready');
    expect(it.termination.start(LONG)).toEqual({ running: true });
    expect((await it.exited).code).toBe(3);
    await it.when(over(it));
    await it.printed('bye');
  });

  it.each([
    ['set back', -3_600_000, 'SIGKILL'],
    ['set ahead', 3_600_000, 'TERM'],
  ])('[PR4] sends SIGKILL after the grace, whether or not the clock is %s', async (_, byMs, end) => {
    onTestFinished(() => void vi.useRealTimers());
    // The process ends by itself a second after SIGTERM, which is within the long grace period.
    const it = start(`trap "sleep 1; exit 7" TERM; echo ready; while :; do sleep 0.01; done`);
    await it.printed('ready');
    it.termination.start(end === 'SIGKILL' ? 300 : LONG);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
    expect(await it.exited).toMatchObject(end === 'SIGKILL' ? { signal: 'SIGKILL' } : { code: 7 });
    await it.when(over(it));
  });

  it.each([
    ['as announced', 0],
    ['by the clock as it is now', 3_600_000],
  ])('[PR4] passes on the time of SIGKILL %s', async (_, byMs) => {
    const it = start('trap "" TERM; echo ready; while :; do sleep 0.01; done');
    await it.printed('ready');
    onTestFinished(() => void vi.useRealTimers());
    it.termination.start(LONG);
    const announced = it.termination.state?.killAtMs ?? 0;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
    const passedOn = it.termination.newest?.killAtMs ?? 0;
    if (byMs === 0) expect(passedOn).toBe(announced);
    else expect(Math.abs(passedOn - announced - byMs)).toBeLessThan(1000);
  });

  it('[PR4] continues the grace period of another program, also after the clock was set back', async () => {
    const before = start('trap "" TERM; echo ready; while :; do sleep 0.01; done');
    await before.printed('ready');
    onTestFinished(() => void vi.useRealTimers());
    const sinceMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: sinceMs - 3_600_000 });
    before.termination.goOn({ sinceMs, killAtMs: sinceMs + 300, isEscapedToo: false });
    expect(await before.exited).toMatchObject({ signal: 'SIGKILL' });
    await before.when(over(before));
  });

  it('sends SIGKILL at once without a grace period', async () => {
    const it = start('trap "" TERM; echo ready; while :; do sleep 0.01; done');
    await it.printed('ready');
    it.termination.start(0);
    expect((await it.exited).signal).toBe('SIGKILL');
    await it.when(over(it));
  });

  it('sends SIGKILL to all remaining processes after the grace period', async () => {
    const it = start('trap "" TERM; (while :; do sleep 0.01; done) & echo other=$!; echo ready; wait; wait');
    await it.printed('ready');
    const other = pidOf(it, 'other');
    it.termination.start(100);
    expect(it.termination.state?.survivors.map(({ pid }) => pid)).toContain(other);
    expect((await it.exited).signal).toBe('SIGKILL');
    await it.when(over(it));
    expect(osProcess(other)).toBeNull();
  });

  it('sends SIGTERM to processes that are started during the grace period too', async () => {
    // The fork is outside the handler, since a process forked inside it would inherit perl's block of the signal.
    const asked = `$SIG{TERM} = sub { $asked = 1 }; print "ready\n"; sleep 1 until $asked`;
    const late = `$SIG{HUP} = "IGNORE"; $SIG{TERM} = sub { exit }; close R; close W; sleep 1 while 1`;
    const it = start(
      `exec perl -e '$| = 1; ${asked}; pipe R, W; if (!fork) { ${late} } close W; readline R'`,
    );
    await it.printed('ready');
    it.termination.start(LONG);
    await it.when(over(it));
  });

  it('can only be shortened by another one', async () => {
    const it = start('trap "" TERM; echo ready; while :; do sleep 0.01; done');
    await it.printed('ready');
    it.termination.start(LONG);
    const first = it.termination.state;
    it.termination.start(2 * LONG);
    expect(it.termination.state?.killAtMs).toBe(first?.killAtMs);
    expect(it.termination.state?.terminatingSinceMs).toBe(first?.terminatingSinceMs);
    it.termination.start(0);
    expect((await it.exited).signal).toBe('SIGKILL');
  });

  it('reaches a stopped process', async () => {
    const it = start('echo ready; kill -STOP $$; echo never');
    await it.printed('ready');
    it.termination.start(LONG);
    expect((await it.exited).signal).toBe('SIGTERM');
  });

  it('[PR10] reaches other groups of the session, even those that are left after the exit', async () => {
    const other = `sh -c 'trap "" TERM; echo other=$$ started; exec sleep 60'`;
    const it = start(`trap "" HUP; set -m; ${other} & wait; echo never`);
    await it.printed('started');
    process.kill(it.child.pid, 'SIGKILL');
    await it.exited;
    const pid = pidOf(it, 'other');
    expect(it.termination.start(100)).toEqual({ running: true });
    expect(it.termination.state?.survivors.map((each) => each.pid)).toEqual([pid]);
    await it.when(over(it));
    expect(osProcess(pid)).toBeNull();
  });

  it('[PR10] reaches a descendant that was started after the exit', async () => {
    const heir =
      'echo heir=$$ waits; while kill -0 $1; do sleep 0.01; done; sleep 60 & echo late=$! started; wait';
    const it = start(`trap "" HUP; sh -c '${heir}' x $$ 2>/dev/null & wait`);
    await it.printed('waits');
    process.kill(it.child.pid, 'SIGKILL');
    await it.exited;
    await it.printed('started');
    it.termination.start(0);
    await it.when(over(it));
    expect(osProcess(pidOf(it, 'late'))).toBeNull();
    expect(osProcess(pidOf(it, 'heir'))).toBeNull();
  });

  it('[PR10] ends no process of another OS session that reuses its number', async () => {
    const it = start(
      'trap "" HUP; trap "sleep 60 & echo stranger=\\$!; exit" USR1; echo ready; while :; do sleep 0.01; done',
    );
    await it.printed('ready');
    // This Termination has no marks or streams by which it could recognize a descendant, and handles the leader's exit
    // before the stranger starts.
    const termination = new Termination(
      { pid: it.child.pid, streams: [], lineage: { marks: [], startedAt: 0 }, isOutputHeld: false },
      () => {},
    );
    termination.leaderExited();
    const reapedAt = startTimeNow();
    while (startTimeNow() === reapedAt) continue;
    process.kill(it.child.pid, 'SIGUSR1');
    await it.exited;
    await it.printed('stranger=');
    const stranger = pidOf(it, 'stranger');
    await expect.poll(() => sessionMembers(it.child.pid).map(({ pid }) => pid)).toEqual([stranger]);
    expect(termination.start(0)).toEqual({ running: false });
    expect(osProcess(stranger)?.pid).toBe(stranger);
  });

  it('finds no process when all have ended, and does not end one that has left the session', async () => {
    const it = start(`setsid sh -c 'echo away=$$ started; exec sleep 60' & wait`);
    await it.printed('started');
    process.kill(it.child.pid, 'SIGKILL');
    await it.exited;
    const away = pidOf(it, 'away');
    expect(it.termination.start(0)).toEqual({ running: false });
    expect(it.termination.state).toBeNull();
    expect(osProcess(away)?.pid).toBe(away);
    process.kill(away, 'SIGKILL');
  });

  it('reports processes that have left the session while they are running, and ends them on request', async () => {
    const away = (name: string): string => `setsid sh -c 'echo ${name}=$$ started; exec sleep 60' & `;
    const it = start(`trap "" HUP; ${away('one')} ${away('two')} wait`);
    await it.printed('one=');
    await it.printed('two=');
    const pids = [pidOf(it, 'one'), pidOf(it, 'two')];
    it.termination.start(LONG);
    expect(it.termination.remains.escaped).toEqual([]);
    await it.when(over(it));
    const escaped = (): number[] => it.termination.remains.escaped.map(({ pid }) => pid);
    expect(new Set(escaped())).toEqual(new Set(pids));
    const [first = 0, second = 0] = pids;
    process.kill(first, 'SIGKILL');
    await it.when(() => escaped().length === 1);
    expect(escaped()).toEqual([second]);
    expect(it.termination.start(LONG, true)).toEqual({ running: true });
    await it.when(over(it));
    expect(osProcess(second)).toBeNull();
    expect(escaped()).toEqual([]);
  });

  it('finds processes that were orphaned after an earlier scan in the same turn', async () => {
    osProcesses();
    const it = start('trap "" HUP; sleep 1000 & exit 3');
    untilZombie(it);
    expect(it.termination.start(LONG)).toEqual({ running: true });
    await it.exited;
    await it.when(over(it));
    await it.ended;
  });

  it('is not over while children are running that the last process has orphaned in the same turn', async () => {
    const it = start(
      'trap "" HUP; trap "sleep 1000 & exit 3" TERM; echo ready; while :; do sleep 0.01; done',
    );
    await it.printed('ready');
    it.termination.start(LONG);
    untilZombie(it);
    it.termination.leaderExited();
    expect(it.termination.state).not.toBeNull();
    await it.when(over(it));
    await it.ended;
  });

  it('scans once for all children that are terminated in one turn, reaped or not', async () => {
    const [one, other] = [start('exit 0'), start('exit 0')];
    untilZombie(one);
    untilZombie(other);
    one.termination.start(LONG);
    const lookedAtMs = scanBeganAtMs();
    other.termination.start(LONG);
    expect(scanBeganAtMs()).toBe(lookedAtMs);
    await Promise.all([one, other].map((each) => each.when(over(each))));
  });

  it('[PR10] finds orphaned processes by their open output, even if their start was not seen', async () => {
    const reaped = 'while kill -0 $$ 2>/dev/null; do sleep 0.03; done';
    const it = start(`trap "" HUP; (${reaped}; sleep 1000 & echo late=$!) & exit 0`);
    await it.exited;
    await it.printed('late=');
    await expect.poll(() => sessionMembers(it.child.pid)).toHaveLength(1);
    expect(it.termination.start(0)).toEqual({ running: true });
    await it.when(over(it));
    await it.ended;
  });

  it('signals processes that have not received SIGTERM yet when it is repeated', async () => {
    const it = start('trap "sleep 1000 & echo more=\\$!" TERM; echo ready; while :; do sleep 0.01; done');
    await it.printed('ready');
    it.termination.start(LONG);
    await it.printed('more=');
    const more = pidOf(it, 'more');
    it.termination.start(LONG);
    await expect.poll(() => osProcess(more)).toBeNull();
    expect(it.termination.state).not.toBeNull();
  });

  it('[PR4] signals a fork of a shell again once it has become a program', async () => {
    const fork = '(trap "exec sleep 1000" TERM; echo ready; while :; do sleep 0.01; done)';
    const it = start(`${fork} & wait`);
    await it.printed('ready');
    it.termination.start(LONG);
    await it.when(over(it));
  });

  it('[PR4] does not signal a program that replaces a signalled one, so that it can clean up', async () => {
    const it = start(
      `trap "exec sh -c 'sleep 0.3; echo clean'" TERM; echo ready; while :; do sleep 0.01; done`,
    );
    await it.printed('ready');
    it.termination.start(LONG);
    await it.printed('clean');
    await it.when(over(it));
  });

  it('[PR4] signals a program once, even if it renames itself', async () => {
    const another = 'trap "printf another >/proc/$$/comm; echo asked" TERM';
    const it = start(`(trap "" TERM; sleep 0.5) & ${another}; echo ready; while :; do sleep 0.01; done`);
    await it.printed('ready');
    it.termination.start(LONG);
    const survivors = (): readonly string[] => it.termination.state?.survivors.map(({ name }) => name) ?? [];
    await it.when(() => survivors().includes('another'));
    // The scans continue as long as a process ignores the signal.
    await it.when(() => survivors().length === 1);
    await it.printed('asked');
    expect(it.output().toString().match(/asked/g)).toHaveLength(1);
  });

  it('works immediately after the start', async () => {
    const it = start('sleep 60');
    expect(it.termination.start(0)).toEqual({ running: true });
    expect((await it.exited).signal).toBe('SIGKILL');
    await it.when(over(it));
  });
});
