// Behaviour that only a child on a terminal has, with real processes.
import { expect, it } from 'vitest';
import { interruptTarget, signalGroup } from './os-session.ts';
import { specOf, startChild, TERMINAL } from '../testing/test-child.ts';

const start = (script: string) => startChild(specOf(['sh', '-c', script], { tty: TERMINAL }));

it('a child on a terminal has the given size, and is notified of a new one', async () => {
  const { child, exited, printed } = start(
    'trap "stty size; exit" WINCH; stty size; while :; do sleep 0.01; done',
  );
  await printed('24 80');
  child.resize({ rows: 50, cols: 132 });
  await printed('50 132');
  expect((await exited).code).toBe(0);
});

it('a child on a terminal controls it, and prints everything to the stream pty', async () => {
  const { ended, output } = start('echo direct > /dev/tty; echo err >&2; tty');
  await ended;
  expect(output('pty').toString()).toMatch(/^direct\r\nerr\r\n\/dev\/\S+\r\n$/);
  expect(output('pty').length).toBe(output().length);
});

it('[PR9] output of a child that has closed its terminal and opened it again is not lost', async () => {
  const { exited, ended, output } = start(
    'echo one; exec </dev/null >/dev/null 2>&1; echo two >/dev/tty; echo three >/dev/tty; exit 3',
  );
  expect((await exited).code).toBe(3);
  await ended;
  expect(output().toString()).toBe('one\r\ntwo\r\nthree\r\n');
});

it('a child on a terminal is interrupted by the interrupt key', async () => {
  const { child, exited, printed } = start('echo ready; exec cat');
  await printed('ready');
  void child.write(Uint8Array.of(3));
  expect(await exited).toEqual({ code: 130, signal: 'SIGINT' });
});

it('an interrupt reaches only the foreground job of a child on a terminal', async () => {
  const { child, exited, printed, output } = startChild(specOf(['sh', '-i'], { tty: TERMINAL }));
  const type = (line: string): unknown => child.write(Buffer.from(`${line}\n`));
  // Typed text is echoed, so the patterns below must only match printed output.
  type(`sh -c 'printf "job=%d go\\n" $$; exec sleep 60'; echo status=$?.`);
  await printed(' go\r\n');
  const [, pid] = /job=(\d+) go/.exec(output().toString()) ?? [];
  expect(interruptTarget(child.pid)).toBe(Number(pid));
  expect(child.pid).not.toBe(Number(pid));
  signalGroup(interruptTarget(child.pid), 'SIGINT');
  type('echo alive=$((20 + 22)).');
  await printed('alive=42.');
  type('exit 5');
  expect((await exited).code).toBe(5);
});

it('a child on a terminal can be signalled immediately after its start', async () => {
  const children = Array.from({ length: 20 }, () => start('sleep 60'));
  for (const { child } of children) signalGroup(child.pid, 'SIGKILL');
  const exits = await Promise.all(children.map(({ exited }) => exited));
  expect(new Set(exits.map(({ signal }) => signal))).toEqual(new Set(['SIGKILL']));
});

it('a child with arg0 prints no warning of perl under an unknown locale', async () => {
  const { ended, output } = startChild(
    specOf(['sh', '-c', 'echo $0'], {
      tty: TERMINAL,
      arg0: '-sh',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'xx_XX' },
    }),
  );
  await ended;
  expect(output().toString()).toBe('-sh\r\n');
});
