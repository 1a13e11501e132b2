// Drawn colours are readable, and match the program's colours where possible.
import { describe, expect, it } from 'vitest';
import { drawnColours, type Palette } from './colours.ts';
import { PLAIN_STYLE } from './text-style.ts';

const dark: Palette = {
  foreground: '#dcdfe6',
  background: '#0c0d10',
  colours: Array(16).fill('#ff7b7b') as string[],
};
const light: Palette = { ...dark, foreground: '#1f2430', background: '#fff' };

describe('The colours of a style', () => {
  it('are null when the program sets none', () => {
    expect(drawnColours(PLAIN_STYLE, dark)).toEqual({ colour: null, background: null });
  });
  it('are the program’s own when they are readable', () => {
    expect(drawnColours({ ...PLAIN_STYLE, colour: 1 }, dark)).toEqual({
      colour: '#ff7b7b',
      background: null,
    });
    expect(drawnColours({ ...PLAIN_STYLE, colour: 208 }, dark).colour).toBe('#ff8700');
    expect(drawnColours({ ...PLAIN_STYLE, colour: 255 }, dark).colour).toBe('#eeeeee');
  });
  it('are moved toward black or white until they are readable', () => {
    expect(drawnColours({ ...PLAIN_STYLE, colour: '#ffff00' }, light).colour).toMatch(/^#[0-8]/);
    expect(drawnColours({ ...PLAIN_STYLE, colour: '#000033' }, dark).colour).toMatch(/^#[6-9a-f]/);
    expect(drawnColours({ ...PLAIN_STYLE, colour: '#ffffff', background: '#ffffff' }, dark).colour).toMatch(
      /^#[0-7]/,
    );
  });
  it('are swapped when inverse', () => {
    expect(drawnColours({ ...PLAIN_STYLE, inverse: true }, dark)).toEqual({
      colour: '#0c0d10',
      background: '#dcdfe6',
    });
  });
});
