// When V8 is told to compile sooner, and when later; on real processes.
import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { specOf, startChild, TERMINAL } from '../testing/test-child.ts';
import { compileAsUsual, compileLate } from './compiling.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const BUDGET = /^--interrupt-budget=(\d+)$/;
/** What V8 begins with. */
const V8S_BUDGET = Number(
  /default: --interrupt-budget=(\d+)/.exec(
    execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }),
  )?.[1],
);
const budgets = (): number[] =>
  vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => Number(BUDGET.exec(flag)?.[1]));

it('compiles later while much is printed, sooner from the first key on a terminal on, and not by starts, output and pipes', async () => {
  const pipe = startChild(specOf(['cat'], { pipeStdin: true }));
  const terminal = startChild(specOf(['sh', '-c', 'echo ready; exec cat'], { tty: TERMINAL }));
  await terminal.printed('ready');
  await pipe.child.write(Buffer.from('by pipe\n'));
  await pipe.printed('by pipe');
  pipe.child.closeStdin();
  await pipe.ended;
  expect(budgets()).toEqual([]);

  compileLate();
  compileAsUsual();
  await terminal.child.write(Buffer.from('first\n'));
  await terminal.printed('first');
  const [late = 0, usual = 0, soon = 0, ...more] = budgets();
  expect(late).toBeGreaterThan(usual);
  expect(usual).toBeGreaterThan(soon);
  expect(soon).toBeGreaterThan(0);
  expect(usual).toBe(V8S_BUDGET);
  expect(more).toEqual([]);

  await terminal.child.write(Buffer.from('second\n'));
  await terminal.printed('second');
  compileLate();
  compileAsUsual();
  expect(budgets()).toHaveLength(3);
  terminal.child.closeStdin();
  await terminal.ended;
});
