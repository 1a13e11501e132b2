// Durations and sizes, at the places where they change their unit.
import { expect, it } from 'vitest';
import { formatBytes, formatDuration } from './format.ts';

it.each([
  [-5, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 m 00 s'],
  [3_599_999, '59 m 59 s'],
  [3_600_000, '1 h 00 m'],
  [86_400_000, '1 d 00 h'],
])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it('shows tenths of what is short and over', () => expect(formatDuration(420, true)).toBe('0.4 s'));

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [48_200_000, '48.2 MB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
