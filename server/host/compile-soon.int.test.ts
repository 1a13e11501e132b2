// Time at which V8 is made to compile early, with real children.
import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { specOf, startChild, TERMINAL } from '../testing/test-child.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

it('V8 compiles early from the first input to a terminal on, and not for starts, output or pipes', async () => {
  const pipe = startChild(specOf(['cat'], { pipeStdin: true }));
  const terminal = startChild(specOf(['sh', '-c', 'echo ready; exec cat'], { tty: TERMINAL }));
  await terminal.printed('ready');
  await pipe.child.write(Buffer.from('to a pipe\n'));
  await pipe.printed('to a pipe');
  pipe.child.closeStdin();
  await pipe.ended;
  expect(setFlagsFromString).not.toHaveBeenCalled();
  for (const line of ['first', 'second']) {
    await terminal.child.write(Buffer.from(`${line}\n`));
    await terminal.printed(line);
  }
  expect(setFlagsFromString).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^--interrupt-budget=\d+$/),
  );
  terminal.child.closeStdin();
  await terminal.ended;
});
