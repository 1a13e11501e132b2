// Letters, spans and repetitions of text without its controls, and expressions that are compiled only once.
import { expect, it, vi } from 'vitest';
import { withoutControls, type Terminal } from './without-controls.ts';

it('withoutControls builds its expressions only once', () => {
  withoutControls('\u001b[1mone');
  // Compiling the expressions calls `fromCodePoint` for every Unicode character that takes no cell.
  const made = vi.spyOn(String, 'fromCodePoint');
  expect(withoutControls('\u001b[1mtwo')?.plain).toBe('two');
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

it('without controls, a text has the letters that a terminal shows', () => {
  const plain = (text: string, terminal?: Terminal): string | undefined =>
    withoutControls(text, terminal)?.plain;
  expect(plain('plain')).toBeUndefined();
  expect(plain('a\u001b[1mb\u001b[0m')).toBe('ab');
  // A backspace removes the letter before it, but not beyond the beginning of a line.
  expect(plain('ab\bc')).toBe('ac');
  expect(plain('ab\b\b\b\bc')).toBe('c');
  expect(plain('a\nb\b\bc')).toBe('a\nc');
  expect(plain('\bx')).toBe('x');
  // A movement of the cursor ends a word.
  expect(plain('a\u001b[5Cb')).toBe('a\nb');
  expect(plain('a\u001b[2;3Hb')).toBe('a\nb');
});

it('without controls, a repeated letter counts as often as it is shown', () => {
  const plain = (text: string, terminal?: Terminal): string | undefined =>
    withoutControls(text, terminal)?.plain;
  expect(plain(`${'x'.repeat(20)}a\u001b[3bz`)).toBe(`${'x'.repeat(20)}aaaaz`);
  expect(plain(`${'x'.repeat(20)}a\u001b[bz`)).toBe(`${'x'.repeat(20)}aaz`);
  expect(plain(`${'x'.repeat(20)}a\u001b[0bz`)).toBe(`${'x'.repeat(20)}aaz`);
  expect(plain('\u001b[3bz')).toBe('z');
  expect(plain('xxxxxxxxxx\n\u001b[3bz')).toBe('xxxxxxxxxx\nz');
  const loose = `${'x'.repeat(20)}a\u001b[5C\u001b[3bz`;
  expect(plain(loose)).toBe(`${'x'.repeat(20)}a\nz`);
  expect(withoutControls(loose)?.hasLooseRepeats).toBe(true);
  expect(withoutControls('xxxxxxa\u001b[3bz')?.hasLooseRepeats).toBe(false);
});

it('a span of the plain text covers its letters in the printed text, and no control sequence', () => {
  const text = 'ab\u001b[1mcd\u001b[0mef';
  const found = withoutControls(text);
  const covered = (start: number, end: number): string[] =>
    (found?.spread({ start, end }) ?? []).map((span) => text.slice(span.start, span.end));
  expect(found?.plain).toBe('abcdef');
  expect(covered(0, 6)).toEqual(['ab', 'cd', 'ef']);
  expect(covered(1, 5)).toEqual(['b', 'cd', 'e']);
  expect(covered(2, 4)).toEqual(['cd']);
  expect(covered(0, 1)).toEqual(['a']);
  expect(covered(5, 6)).toEqual(['f']);
});
