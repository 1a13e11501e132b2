// Exits of children follow their output, and every exit is reported. The reaper polls all children, so it also finds
// those that exit after their output was polled for the last time.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KINDS, specOf, startChild } from '../testing/test-child.ts';
import { spawnChild } from './spawn.ts';

const folder = mkdtempSync(join(tmpdir(), 'exit-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Blocks this thread until the program has exited and waits to be reaped. */
function awaitZombie(pid: number): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) Atomics.wait(nothing, 0, 0, 1);
}

it.each(KINDS)(
  '[EL9] what a child on $kind has printed precedes its exit, even when it exits as another is reaped',
  async ({ kind, tty, pipeStdin }) => {
    const go = join(folder, kind);
    const script = `until [ -e ${go} ]; do sleep 0.01; done; head -c 3000 /dev/zero; printf err >&2`;
    const late = startChild(specOf(['sh', '-c', script], { tty, pipeStdin }));
    process.prependOnceListener('SIGCHLD', () => {
      writeFileSync(go, '');
      awaitZombie(late.child.pid);
    });
    const first = startChild(specOf(['true']));
    await Promise.all([first.ended, late.ended]);
    expect(late.record).toEqual([`${'\0'.repeat(3000)}err`, 'exit', 'end']);
  },
);

it('an exit whose listener throws keeps no other exit from being reported', async () => {
  const throws = spawnChild(specOf(['true']), {
    onOutput: () => {},
    onResized: () => {},
    onExit: () => {
      throw new Error('thrown on purpose');
    },
    onEnd: () => {},
  });
  const other = startChild(specOf(['true']));
  for (const pid of [throws.pid, other.child.pid]) awaitZombie(pid);
  expect(() => process.emit('SIGCHLD', 'SIGCHLD')).toThrow('thrown on purpose');
  expect(await other.exited).toEqual({ code: 0, signal: null });
  expect(await startChild(specOf(['true'])).exited).toEqual({ code: 0, signal: null });
});
