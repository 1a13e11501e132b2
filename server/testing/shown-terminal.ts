// Screen of a command in a terminal, cell by cell.
import { expect } from 'vitest';
import type { ChildExit } from '../host/child.ts';
import type { Size } from '../../protocol/scalars.ts';
import { freshTerminal, seen, written } from './seen-terminal.ts';
import { TERMINAL, type TestChild } from './test-child.ts';

/** Resolves with the screen after all output so far. */
export async function screen(terminal: TestChild, size: Size = TERMINAL) {
  const shown = freshTerminal(size, 0);
  await written(shown, terminal.output());
  return seen(shown);
}

export const shownCells = ({
  active,
  normal,
  alternate,
}: Awaited<ReturnType<typeof screen>>): readonly string[] => (active === 'normal' ? normal : alternate);

/** Resolves when `text` is on the screen; rejects after 10 s. */
export async function shows(terminal: TestChild, text: string, size: Size = TERMINAL): Promise<void> {
  const read = async (): Promise<string> => {
    const shown = freshTerminal(size, 0);
    await written(shown, terminal.output());
    const { active } = shown.buffer;
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true)).join(
      '\n',
    );
  };
  await expect.poll(read, { timeout: 10_000 }).toContain(text);
}

/**
 * Returns the exit after all output was read, because a child may be reaped before the kernel delivers its
 * last output.
 */
export async function exit({ exited, ended }: TestChild): Promise<ChildExit> {
  await ended;
  return exited;
}
