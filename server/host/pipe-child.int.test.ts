// Behaviour that only a child with pipes has, with real processes.
import { EventEmitter, on, once } from 'node:events';
import { expect, it } from 'vitest';
import { specOf, startChild } from '../testing/test-child.ts';
import { spawnChild } from './spawn.ts';

it('a child with pipes can open its streams by name', async () => {
  const script = 'echo out > /dev/stdout; echo err > /dev/stderr; cat < /dev/stdin';
  const { child, exited, ended, output } = startChild(specOf(['sh', '-c', script], { pipeStdin: true }));
  expect(await child.write(Buffer.from('in\n'))).toBe('accepted');
  child.closeStdin();
  expect((await exited).code).toBe(0);
  await ended;
  expect(output('stdout').toString()).toBe('out\nin\n');
  expect(output('stderr').toString()).toBe('err\n');
});

it('a child with pipes reads the end of a stdin that it opens by name after its end', async () => {
  const script = 'echo ready; read line; cat /dev/stdin; cat /dev/stdin; exit 4';
  const { child, exited, printed } = startChild(specOf(['sh', '-c', script], { pipeStdin: true }));
  await printed('ready');
  child.closeStdin();
  expect((await exited).code).toBe(4);
});

it('a child without pipeStdin reads the end of its stdin at once', async () => {
  const { child, ended, output } = startChild(specOf(['cat']));
  expect(child.writable).toBe(false);
  expect(await child.write(Buffer.from('x'))).toBe('closed');
  await ended;
  expect(output().length).toBe(0);
});

it('a child with pipes has blocking streams', async () => {
  const script = 'for (0..2) { open F, "/proc/self/fdinfo/$_"; print grep /flags/, <F> }';
  const { ended, output } = startChild(specOf(['perl', '-e', script], { pipeStdin: true }));
  await ended;
  const O_NONBLOCK = 0o4000;
  const flags = [
    ...output()
      .toString()
      .matchAll(/flags:\s*(\d+)/g),
  ].map(([, octal]) => parseInt(octal ?? '', 8));
  expect(flags.length).toBe(3);
  expect(flags.filter((each) => (each & O_NONBLOCK) !== 0)).toEqual([]);
});

it('a grandchild reads input that was accepted before the exit of its parent', async () => {
  const size = 500_000;
  // The grandchild begins to read only when its parent has ended.
  const late = 'while kill -0 $$ 2>/dev/null; do sleep 0.01; done; wc -c';
  const { child, exited, ended, printed, output } = startChild(
    specOf(['sh', '-c', `exec 3<&0; (${late}) <&3 & echo ready; read line`], { pipeStdin: true }),
  );
  await printed('ready');
  const first = child.write(Buffer.from('line\n'));
  const rest = child.write(Buffer.alloc(size));
  await exited;
  expect(await Promise.all([first, rest])).toEqual(['accepted', 'accepted']);
  await ended;
  expect(output().toString()).toMatch(new RegExp(`^ready\\n *${size}\\n$`));
});

/** Perl code that reports the capacity of its stdout with F_GETPIPE_SZ. */
const SIZE = 'sub size { fcntl STDOUT, 1032, 0 } sub say_size { syswrite STDERR, size }';
const IS_LARGE = 'size > 65536';

/** Starts a child that floods until `isEnough`, reports the capacity of its stdout, and waits. */
function flooding(isEnough: string) {
  const events = new EventEmitter();
  const sizes = on(events, 'size');
  const ended = once(events, 'end');
  const script = `${SIZE} until (${isEnough}) { syswrite STDOUT, "x" x 1048576 } say_size; <STDIN>`;
  const child = spawnChild(specOf(['perl', '-e', script], { pipeStdin: true }), {
    onOutput: (stream, bytes) => {
      if (stream === 'stderr') events.emit('size', Number(bytes.toString()));
    },
    onResized: () => {},
    onExit: () => {},
    onEnd: () => events.emit('end'),
  });
  /** Returns the next capacity that the child reports. */
  const holds = async (): Promise<unknown> => (await sizes.next()).value[0];
  const end = async (): Promise<void> => {
    child.closeStdin();
    await ended;
  };
  return { holds, end };
}

it('a child that floods gets a larger pipe, up to a limited number at once', async () => {
  const quiet = flooding('1');
  expect(await quiet.holds()).toBe(65_536);
  const floods = Array.from({ length: 16 }, () => flooding(IS_LARGE));
  for (const { holds } of floods) expect(await holds()).toBe(262_144);
  const oneMore = flooding(`++$n == 16 && say_size(), ${IS_LARGE}`);
  expect(await oneMore.holds()).toBe(65_536);
  for (const { end } of [quiet, ...floods]) await end();
  expect(await oneMore.holds()).toBe(262_144);
  await oneMore.end();
});
