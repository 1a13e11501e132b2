// Bytes sent by the keys of the key row.
import { describe, expect, it } from 'vitest';
import { controlled, screenKey } from './screen-keys.ts';

describe('screenKey', () => {
  it('follows the program’s cursor key mode for cursor keys only', () => {
    expect(screenKey('up', false)).toBe('\u001b[A');
    expect(screenKey('left', true)).toBe('\u001bOD');
    expect(screenKey('escape', true)).toBe('\u001b');
    expect(screenKey('tab', true)).toBe('\t');
  });
});

describe('controlled', () => {
  it.each([
    ['c', '\u0003'],
    ['C', '\u0003'],
    ['[', '\u001b'],
    [' ', '\u0000'],
    ['?', '\u007f'],
    ['1', '1'],
    ['ü', 'ü'],
    ['ab', 'ab'],
    ['', ''],
  ])('(%j) is %j', (data, expected) => {
    expect(controlled(data)).toBe(expected);
  });
});
