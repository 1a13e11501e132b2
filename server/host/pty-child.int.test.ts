// Behaviour that only a child on a terminal has; with real processes.
import { expect, it } from 'vitest';
import { interruptTarget, signalGroup } from './os-session.ts';
import { specOf, startChild, TERMINAL } from '../testing/test-child.ts';

const start = (script: string) => startChild(specOf(['sh', '-c', script], { tty: TERMINAL }));

it('has the size it was given, and hears of another', async () => {
  const { child, exited, printed } = start(
    'trap "stty size; exit" WINCH; stty size; while :; do sleep 0.01; done',
  );
  await printed('24 80');
  child.resize({ rows: 50, cols: 132 });
  await printed('50 132');
  expect((await exited).code).toBe(0);
});

it('controls its terminal, and says everything as pty', async () => {
  const { ended, output } = start('echo direct > /dev/tty; echo err >&2; tty');
  await ended;
  expect(output('pty').toString()).toMatch(/^direct\r\nerr\r\n\/dev\/\S+\r\n$/);
  expect(output('pty').length).toBe(output().length);
});

it('[PR9] is heard again after it has closed its whole terminal', async () => {
  const { exited, ended, output } = start(
    'echo one; exec </dev/null >/dev/null 2>&1; echo two >/dev/tty; echo three >/dev/tty; exit 3',
  );
  expect((await exited).code).toBe(3);
  await ended;
  expect(output().toString()).toBe('one\r\ntwo\r\nthree\r\n');
});

it('hears the interrupt key', async () => {
  const { child, exited, printed } = start('echo ready; exec cat');
  await printed('ready');
  void child.write(Uint8Array.of(3));
  expect(await exited).toEqual({ code: 130, signal: 'SIGINT' });
});

it('has a foreground job that alone is interrupted', async () => {
  const { child, exited, printed, output } = startChild(specOf(['sh', '-i'], { tty: TERMINAL }));
  const type = (line: string): unknown => child.write(Buffer.from(`${line}\n`));
  // Typed text is echoed: only printed output may match below.
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

it('can be signalled from its very first moment', async () => {
  const children = Array.from({ length: 20 }, () => start('sleep 60'));
  for (const { child } of children) signalGroup(child.pid, 'SIGKILL');
  const exits = await Promise.all(children.map(({ exited }) => exited));
  expect(new Set(exits.map(({ signal }) => signal))).toEqual(new Set(['SIGKILL']));
});

it('leaves its shell in peace when perl gives it another name under a strange locale', async () => {
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
