// Tests of a wide terminal that becomes very narrow: rules SN1 and HC4.
import { expect, it } from 'vitest';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { nextWidth } from './resize-widths.ts';
import { Screen } from './screen.ts';

it('[HC4] narrowing a terminal in steps never creates more rows at once than the limit', () => {
  expect(nextWidth({ lines: 1200, cols: 200 }, 1)).toBe(1);
  expect(nextWidth({ lines: 2000, cols: 2000 }, 1000)).toBe(1000);
  expect(nextWidth({ lines: 2000, cols: 2000 }, 1)).toBe(1000);
  expect(nextWidth({ lines: 2000, cols: 300 }, 1)).toBe(150);
  expect(nextWidth({ lines: 2000, cols: 80 }, 2000)).toBe(2000);
});

it('[SN1] a terminal that is narrowed in several steps shows the same as one narrowed at once', async () => {
  const wide = { rows: 80, cols: 1000 };
  const narrow = { rows: 70, cols: 3 };
  const scrollback = 1000;
  const output = Buffer.from(
    Array.from({ length: 1200 }, (_, at) => `${at} \u001b[3${at % 8}m${'a漢b'.repeat(at % 300)}\r\n`).join(
      '',
    ),
  );
  const screen = new Screen(wide, scrollback);
  await screen.feed(output);
  expect(nextWidth({ lines: 1080, cols: wide.cols }, narrow.cols)).toBeGreaterThan(narrow.cols);
  await screen.resize(narrow);
  const [restored, direct] = [freshTerminal(narrow, scrollback), freshTerminal(wide, scrollback)];
  await written(restored, screen.snapshot(scrollback));
  await written(direct, output);
  direct.resize(narrow.cols, narrow.rows);
  expect(seen(restored)).toEqual(seen(direct));
  for (const each of [restored, direct, screen]) each.dispose();
});
