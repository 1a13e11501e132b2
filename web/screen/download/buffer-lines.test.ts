// Lines of a terminal as a download writes them: styles, wide characters, wrapped lines; reading yields to other work.
import { Terminal } from '@xterm/headless';
import { expect, it } from 'vitest';
import { linesOf } from './buffer-lines.ts';
import type { StyledLine } from './styled-line.ts';

async function* slicesOf(text: string): AsyncGenerator<StyledLine[]> {
  const terminal = new Terminal({ rows: 5, cols: 20, scrollback: 5000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  yield* linesOf(terminal.buffer.normal);
  terminal.dispose();
}

async function read(text: string): Promise<StyledLine[]> {
  const lines: StyledLine[] = [];
  for await (const slice of slicesOf(text)) lines.push(...slice);
  return lines;
}

it('linesOf reads characters, including wide ones, with their styles, and marks wrapped lines', async () => {
  const lines = await read(
    'a\u001b[1;31mb\u001b[0m日本\u001b[48;2;1;2;3mc\r\n\u001b[m0123456789012345678901234\r\n\r\n',
  );
  expect(lines.map(({ text, continues }) => [text.trimEnd(), continues])).toEqual([
    ['ab日本c', false],
    ['01234567890123456789', false],
    ['01234', true],
  ]);
  expect(lines[0]?.runs).toMatchObject([
    { start: 0, style: { bold: false, colour: null } },
    { start: 1, style: { bold: true, colour: 1 } },
    { start: 2, style: { bold: false, colour: null, background: null } },
    { start: 4, style: { background: '#010203' } },
  ]);
});

it('linesOf yields to other work between slices of lines', async () => {
  let turns = 0;
  let seen = -1;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setTimeout(turn);
  };
  setTimeout(turn);
  let count = 0;
  for await (const slice of slicesOf('x\r\n'.repeat(2000))) {
    expect(turns).toBeGreaterThan(seen);
    seen = turns;
    expect(slice.length).toBeLessThanOrEqual(200);
    count += slice.length;
  }
  isOver = true;
  expect(count).toBe(2000);
});
