// Stored settings are validated when read: invalid values are replaced by defaults, and numbers limited.
import { describe, expect, it } from 'vitest';
import { parseSettings, USUAL } from './settings.ts';

describe('parseSettings', () => {
  it.each([null, undefined, 1, 'x', [], {}])('returns the defaults for %j', (value) => {
    expect(parseSettings(value)).toEqual(USUAL);
  });
  it('accepts only valid settings', () => {
    const chosen = {
      ...USUAL,
      fontFamily: 'Fira Code',
      fontSize: 18,
      cursorStyle: 'bar',
      bell: 'off',
    } as const;
    expect(parseSettings(chosen)).toEqual(chosen);
    expect(parseSettings({ ...chosen, bell: 'gong', cursorBlink: 'yes', more: 1 })).toEqual({
      ...chosen,
      bell: USUAL.bell,
    });
  });
  it.each([
    ['fontSize', 1, 8],
    ['fontSize', 999, 32],
    ['fontSize', 13.4, 13],
    ['fontSize', Number.NaN, 13],
    ['fontSize', '20', 13],
    ['scrollback', -1, 0],
    ['scrollback', 1e9, 50_000],
  ] as const)('keeps %s within bounds: %s is %s', (name, value, expected) => {
    expect(parseSettings({ [name]: value })[name]).toBe(expected);
  });
  it.each(['x; } body { display: none', '"', 'a'.repeat(101), 'url(x)'])(
    'rejects a font that contains CSS: %j',
    (fontFamily) => {
      expect(parseSettings({ fontFamily }).fontFamily).toBe('');
    },
  );
});
