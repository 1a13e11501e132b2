// Descendants of real processes are found however they escaped, and unrelated processes never are.
import { closeSync, openSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { markOf, withLineage } from './lineage.ts';
import { osProcess } from './os-process.ts';
import { Termination } from './termination.ts';
import { KINDS, specOf, startChild, type TestChild } from '../testing/test-child.ts';

interface Ended extends TestChild {
  readonly termination: Termination;
}

const toEnd: (() => void)[] = [];
afterEach(() => {
  for (const end of toEnd.splice(0)) end();
});

function start(script: string, changes: Parameters<typeof specOf>[1] = {}): Ended {
  const started = startChild(specOf(['bash', '-c', script], changes));
  const termination = new Termination(started.child, () => {});
  void started.exited.then(() => termination.leaderExited());
  toEnd.push(() => {
    termination.dispose();
    started.child.abandon();
    kill(-started.child.pid);
  });
  return { ...started, termination };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

async function pidOf({ printed, output }: Ended, name: string): Promise<number> {
  await printed('started');
  // The shell may print the number after the program has started.
  const number = new RegExp(`${name}=(\\d+)\\s`);
  await expect.poll(() => output().toString()).toMatch(number);
  const pid = Number(number.exec(output().toString())?.[1]);
  toEnd.push(() => kill(pid));
  return pid;
}

async function terminate(
  { termination, exited }: Ended,
  isEscapedToo = false,
): Promise<Termination['remains']> {
  termination.start(0, isEscapedToo);
  await exited;
  await expect.poll(() => termination.state).toBeNull();
  return termination.remains;
}

const sleep = 'exec sleep 1000';
const deaf = 'exec sleep 1000 </dev/null >/dev/null 2>&1';

describe.each(KINDS)('The scan for descendants of a child on $kind', ({ tty }) => {
  it.each([
    [
      'with a session of its own, whose parents have ended',
      `( (setsid sh -c 'echo d=$$ started; ${sleep}' &) )`,
    ],
    [
      'that has closed its inherited descriptors as well',
      `( (setsid sh -c 'trap "" HUP; echo d=$$ started; ${deaf}' &) )`,
    ],
    [
      'that has none of the inherited variables as well',
      `( (env -i /usr/bin/setsid /bin/sh -c 'echo d=$$ started; ${deaf}' &) )`,
    ],
    [
      'that has reset the inherited limit, and holds the output open',
      `( (ulimit -S -x 12345; setsid sh -c 'echo d=$$ started; ${sleep}' &) )`,
    ],
    [
      'that was started by such a descendant, which has ended',
      `( (setsid sh -c '(setsid sh -c "echo d=\\$\\$ started; ${deaf}" &)' &) )`,
    ],
  ])('[PR12] finds one %s', async (_, script) => {
    const it = start(`trap "" HUP; ${script}; sleep 1000`, { tty });
    const pid = await pidOf(it, 'd');
    await expect.poll(() => osProcess(osProcess(pid)?.parent ?? 0)?.session).not.toBe(it.child.pid);
    expect((await terminate(it)).escaped.map((each) => each.pid)).toEqual([pid]);
    expect((await terminate(it, true)).escaped).toEqual([]);
    expect(osProcess(pid)).toBeNull();
    expect(it.termination.remains).toEqual({ escaped: [], isOutputHeld: false });
  });

  // A login with su or sudo resets all limits. Only root can read the timer slack of another process.
  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    '[PR12] finds one whose limits were reset, and which has closed its inherited descriptors',
    async () => {
      const daemon = `trap "" HUP; echo d=$$ started; ${deaf}`;
      const it = start(`trap "" HUP; ( (ulimit -S -x unlimited; setsid sh -c '${daemon}' &) ); sleep 1000`, {
        tty,
      });
      const pid = await pidOf(it, 'd');
      await expect.poll(() => osProcess(osProcess(pid)?.parent ?? 0)?.session).not.toBe(it.child.pid);
      expect((await terminate(it)).escaped.map((each) => each.pid)).toEqual([pid]);
      expect((await terminate(it, true)).escaped).toEqual([]);
      expect(osProcess(pid)).toBeNull();
    },
  );

  it('[PR12] finds one that is still running after an exit without a termination', async () => {
    const it = start(`trap "" HUP; ( (setsid sh -c 'echo d=$$ started; ${deaf}' &) ); read -t 0.2 <> <(:)`, {
      tty,
    });
    const pid = await pidOf(it, 'd');
    await it.exited;
    expect(it.termination.start(0)).toEqual({ running: false });
    expect(it.termination.remains.escaped.map((each) => each.pid)).toEqual([pid]);
  });

  it('[PR12] finds a process that a descendant has started before it ended', async () => {
    const script = `echo d=$$ started; trap "(${deaf}) & exit" TERM; while :; do sleep 0.01; done`;
    const it = start(`trap "" HUP; ( (setsid sh -c '${script}' &) ); sleep 1000`, { tty });
    const pid = await pidOf(it, 'd');
    expect((await terminate(it)).escaped.map((each) => each.pid)).toContain(pid);
    process.kill(pid, 'SIGTERM');
    const left = (): number[] => it.termination.remains.escaped.map((each) => each.pid);
    await expect.poll(() => left().some((each) => each !== pid) && !left().includes(pid)).toBe(true);
    for (const each of left()) kill(each);
    await expect.poll(left).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    '[PR12] finds a program that repeatedly starts itself and exits',
    async () => {
      const again = [
        'import os, signal, time',
        'signal.signal(signal.SIGHUP, signal.SIG_IGN)',
        'print("started", flush=True)',
        'os.closerange(0, 64)',
        'until = time.monotonic() + 20',
        'while time.monotonic() < until:',
        '  if os.fork(): os._exit(0)',
        '  os.setsid()',
        '  time.sleep(0.002)',
      ].join('\n');
      const it = start(`trap "" HUP; ( (setsid python3 -c '${again}' &) ); sleep 1000`, { tty });
      await it.printed('started');
      expect((await terminate(it)).escaped[0]?.name).toMatch(/python/);
      expect((await terminate(it, true)).escaped).toEqual([]);
    },
  );

  it('[PR13] reports held output while a process that is not a descendant holds it open', async () => {
    const it = start('echo started; sleep 1000', { tty });
    await it.printed('started');
    // This process is older than the child, like a server that was passed the child's terminal.
    const held = openSync(`/proc/${it.child.pid}/fd/1`, 'r+');
    expect(await terminate(it)).toEqual({ escaped: [], isOutputHeld: true });
    closeSync(held);
    expect(it.termination.remains).toEqual({ escaped: [], isOutputHeld: false });
  });

  it('[PR12] does not include a process of another child that holds the output open', async () => {
    const it = start('echo started; sleep 1000', { tty });
    await it.printed('started');
    const other = start(`exec 9<>/proc/${it.child.pid}/fd/1; echo started; sleep 1000`);
    await other.printed('started');
    expect(await terminate(it)).toEqual({ escaped: [], isOutputHeld: true });
    await terminate(other);
    expect(it.termination.remains.isOutputHeld).toBe(false);
  });

  it('[PR13] reports the end of a child whose output is still unread', async () => {
    const it = start('echo started; head -c 30000 /dev/zero; sleep 1000', { tty });
    it.child.pause();
    const pid = it.child.pid;
    // The shell may have replaced itself with its last command.
    await expect.poll(() => osProcess(pid)?.name).toMatch(/^(bash|sleep)$/);
    expect(await terminate(it)).toEqual({ escaped: [], isOutputHeld: false });
    it.child.resume();
    await it.ended;
  });

  it('[PR13] includes a running program whose first thread has ended', async () => {
    const code =
      'import ctypes, threading, time; threading.Thread(target=lambda: (print("started", flush=True), time.sleep(1000))).start(); ctypes.CDLL(None).pthread_exit(None)';
    const it = start(`( (exec setsid python3 -c '${code}' & echo d=$!) ); sleep 1000`, { tty });
    const pid = await pidOf(it, 'd');
    await expect.poll(() => osProcess(pid)?.name).toMatch(/python/);
    expect((await terminate(it)).escaped.map((each) => each.pid)).toEqual([pid]);
  });
});

describe('A lineage', () => {
  it('differs each time, and leaves this process unchanged', () => {
    const own = osProcess(process.pid);
    const marks = [1, 2].map(() => withLineage((lineage) => lineage.marks));
    expect(new Set(marks.flat()).size).toBe(marks.flat().length);
    expect(own && markOf(own)).toBeNull();
    expect(() =>
      withLineage(() => {
        throw new Error('no start');
      }),
    ).toThrow('no start');
    expect(own && markOf({ ...own, startTime: -1 })).toBeNull();
  });

  it('adds no variables to the environment of the child', async () => {
    const it = start('env -0; exec sleep 1000', { env: { ONLY: 'this', PATH: '/usr/bin:/bin' } });
    await it.printed('ONLY=this');
    const names = it
      .output()
      .toString()
      .split('\0')
      .map((each) => each.split('=')[0]);
    expect(names.filter((name) => !['ONLY', 'PATH', 'PWD', 'SHLVL', '_', ''].includes(name ?? ''))).toEqual(
      [],
    );
  });
});
