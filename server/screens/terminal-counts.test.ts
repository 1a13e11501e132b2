// Tests of a terminal that is asked to repeat something billions of times: rule HC4.
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { limitCounts } from '../../text/terminal-counts.ts';

async function screenAfter(text: string): Promise<string[]> {
  const terminal = new headless.Terminal({ rows: 4, cols: 8, allowProposedApi: true });
  limitCounts(terminal);
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  return Array.from({ length: 4 }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '');
}

const FILLED = 'a1234567b1234567c1234567d123456\u001b[2;3H';
const EVERYTHING = ['S', 'T', '^', 'L', 'M', '@', 'P', 'I', 'Z', 'X', ' @', ' A', "'}", "'~"];

it.each(EVERYTHING)(
  '[HC4] CSI … %s with a huge count has the same effect as with the size of the screen',
  async (final) => {
    const endless = await screenAfter(`${FILLED}\u001b[2147483647${final}|`);
    expect(endless).toEqual(await screenAfter(`${FILLED}\u001b[40${final}|`));
  },
);

it.each(EVERYTHING)('[HC4] CSI … %s with a small count is unchanged', async (final) => {
  const terminal = new headless.Terminal({ rows: 4, cols: 8, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(`${FILLED}\u001b[2${final}|`, resolve));
  const lines = Array.from({ length: 4 }, (_, y) =>
    terminal.buffer.active.getLine(y)?.translateToString(true),
  );
  expect(await screenAfter(`${FILLED}\u001b[2${final}|`)).toEqual(lines);
});

it.each([
  ['a character', 'x\u001b[3b|', 'xxxx|'],
  ['a wide character', '世\u001b[2b|', '世世世|'],
  ['a character with a huge count', 'x\u001b[2147483647b\u001b[H|', '|xxxxxxx'],
  [
    'many marks in one cell with a huge count',
    `e${'\u0301'.repeat(3000)}\u001b[99999b\u001b[2J\u001b[H|`,
    '|',
  ],
])('[HC4] repeats %s', async (_what, text, line) => expect((await screenAfter(text))[0]).toBe(line));
