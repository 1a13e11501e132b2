// Tests that a terminal and one restored from its snapshot stay alike when both are resized: rules SN1 and SN9.
import { expect, it } from 'vitest';
import type { Size } from '../../protocol/scalars.ts';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { Screen } from './screen.ts';

const SIZE = { rows: 8, cols: 12 };
const PROMPT = 'l1\r\nl2\r\nl3\r\nl4\r\nl5\r\nl6\r\nl7\r\n$ ed';
const FULL = '\u001b[H\u001b[2Jfull';
const WRAPPED = 'aaaaaaaaaaaa\r\nbbbbbbbbbbbb\r\ncccc';

it.each([
  ['mode 47', `${PROMPT}\u001b[?47h${FULL}`, { rows: 4, cols: 12 }, '\u001b[?47l\r\n$ next'],
  ['mode 1047', `${PROMPT}\u001b[?1047h${FULL}`, { rows: 4, cols: 12 }, '\u001b[?1047l\r\n$ next'],
  ['mode 1049', `${PROMPT}\u001b[?1049h${FULL}`, { rows: 4, cols: 12 }, '\u001b[?1049l\r\n$ next'],
  ['a pending wrap', `${PROMPT}12345678\u001b[?1047h${FULL}`, { rows: 4, cols: 12 }, '\u001b[?1047l!'],
  [
    'a cursor that was saved elsewhere',
    `\u001b7${PROMPT}\u001b[?1047h${FULL}`,
    { rows: 4, cols: 12 },
    '\u001b[?1047l\u001b8!',
  ],
  ['a restore without a save', WRAPPED, { rows: 4, cols: 5 }, '\u001b8W'],
  ['a restore without a save on the alternate screen', `${WRAPPED}\u001b[?1047h`, SIZE, '\u001b8W'],
  ['a restore after a soft reset', `${WRAPPED}\u001b7\u001b[!p`, { rows: 4, cols: 5 }, '\u001b8W'],
  ['a restore of a saved cursor', `${WRAPPED}\u001b7`, { rows: 4, cols: 5 }, '\u001b8W'],
] as [string, string, Size, string][])(
  '[SN1] [SN9] a snapshot on which the size changes includes %s',
  async (_, before, { rows, cols }, later) => {
    const screen = new Screen(SIZE, 100);
    await screen.feed(Buffer.from(before));
    const [fresh, whole] = [freshTerminal(SIZE, 100), freshTerminal(SIZE, 100)];
    await written(fresh, screen.snapshot(100));
    await written(whole, before);
    screen.dispose();
    for (const terminal of [fresh, whole]) {
      terminal.resize(cols, rows);
      await written(terminal, later);
    }
    expect(seen(fresh)).toEqual(seen(whole));
    fresh.dispose();
    whole.dispose();
  },
);
