// When V8 is told to compile sooner; on real processes.
import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { specOf, startChild, TERMINAL } from '../testing/test-child.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const flags = (): string[] => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag);

it('compiles sooner from the first key on a terminal on, and not for starts, output and pipes', async () => {
  const pipe = startChild(specOf(['cat'], { pipeStdin: true }));
  const terminal = startChild(specOf(['sh', '-c', 'echo ready; exec cat'], { tty: TERMINAL }));
  await terminal.printed('ready');
  await pipe.child.write(Buffer.from('by pipe\n'));
  await pipe.printed('by pipe');
  pipe.child.closeStdin();
  await pipe.ended;
  expect(flags()).toEqual([]);

  await terminal.child.write(Buffer.from('first\n'));
  await terminal.printed('first');
  expect(flags()).toEqual([expect.stringMatching(/^--interrupt-budget=\d+$/)]);
  await terminal.child.write(Buffer.from('second\n'));
  await terminal.printed('second');
  expect(flags()).toHaveLength(1);
  terminal.child.closeStdin();
  await terminal.ended;
});
