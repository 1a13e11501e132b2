// Tests of line counts of successive parts of a recording.
import { expect, it } from 'vitest';
import { afterUnread, BEGINNING, joinedCount, NO_LINES, type LineCount } from './line-count.ts';

const part = (start: number, end: number, lines: number, hasGap = false): LineCount => ({
  start,
  end,
  lines,
  hasGap,
});

it.each([
  ['adjacent parts', [part(0, 10, 2), part(10, 20, 3)], 5, false],
  ['parts with a gap between them', [part(0, 10, 2), part(11, 20, 3)], 3, true],
  ['a part with a gap inside', [part(0, 10, 2), part(10, 20, 3, true), part(20, 30, 4)], 7, true],
  ['a part whose beginning is missing', [part(5, 10, 2)], 2, true],
  ['a part without output', [part(0, 10, 2), NO_LINES, part(10, 20, 3)], 5, false],
])('[HS9] The lines of %s are counted from the beginning or the last gap', (_, parts, lines, hasGap) => {
  expect(parts.reduce(joinedCount, BEGINNING)).toMatchObject({ lines, hasGap });
});

it('[HS9] The lines after an unread part are counted from there', () => {
  const before = afterUnread(joinedCount(BEGINNING, part(0, 10, 2)));
  expect(joinedCount(before, part(20, 30, 3))).toMatchObject({ lines: 3, hasGap: true });
});
