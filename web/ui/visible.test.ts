// What could hide, reorder or break a line is seen; what people write stays as it is.
import { describe, expect, it } from 'vitest';
import { nextHidden, visible, visibleLines } from './visible.ts';

describe('visible', () => {
  it.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['a\u202eb', 'a\\u202eb'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u0000\u007f\u009b', '\\x00\\x7f\\x9b'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['tag\u{e0041}s', 'tag\\u{e0041}s'],
    ['pay\u200dpal p\u200cq', 'pay\\u200dpal p\\u200cq'],
    ['👍\u200d', '👍\\u200d'],
    ['\u200d👍', '\\u200d👍'],
    ['👍\u200da', '👍\\u200da'],
  ])('shows %j as %s', (text, shown) => expect(visible(text)).toBe(shown));
  it.each(['grüße 漢字 👍', '👩‍🚀', '🧑🏽‍💻', '🏳️‍🌈', '👨‍👩‍👧‍👦', '❤️‍🔥', 'می‌خواهم', 'क्‍ष', 'שלום'])(
    'leaves %s as it is',
    (text) => expect(visible(text)).toBe(text),
  );
});

it('visibleLines keeps lines and tabs', () => {
  expect(visibleLines('a\tb\n\u202ec\r\n')).toBe('a\tb\n\\u202ec\\x0d\n');
});

it('nextHidden goes on from a place, and takes a character whole', () => {
  expect(nextHidden('a\u202eb\u{e0041}', 0)).toEqual({ index: 1, character: '\u202e' });
  expect(nextHidden('a\u202eb\u{e0041}', 2)).toEqual({ index: 3, character: '\u{e0041}' });
  expect(nextHidden('👩‍🚀', 0)).toBeNull();
});
