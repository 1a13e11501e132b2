// Matching of pressed keys on various keyboards, and the names of keys as shown to people.
import { describe, expect, it } from 'vitest';
import { capsOf, matches, parseStroke, type Pressed } from '../../commands/key-bindings.ts';

const pressed = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});

describe('matches', () => {
  const ctrlShift = { ctrlKey: true, shiftKey: true };
  it.each([
    ['Mod+Shift+P', pressed('P', ctrlShift), true],
    ['Mod+Shift+P', pressed('p', ctrlShift), true],
    ['Mod+Shift+P', pressed('p', { ctrlKey: true }), false],
    ['Mod+Shift+P', pressed('P', { ...ctrlShift, altKey: true }), false],
    ['Mod+Shift+P', pressed('P', { metaKey: true, shiftKey: true }), false],
    ['Mod+Shift+P', pressed('З', { ...ctrlShift, code: 'KeyP' }), true],
    ['Mod+Alt+Shift+ArrowUp', pressed('ArrowUp', { ...ctrlShift, altKey: true }), true],
    ['Mod+K', pressed('k', { ctrlKey: true }), true],
    ['F1', pressed('F1'), true],
    ['F1', pressed('F1', { shiftKey: true }), false],
    ['?', pressed('?', { shiftKey: true }), true],
    ['?', pressed('?'), true],
    ['G', pressed('G', { shiftKey: true }), true],
    ['g', pressed('G', { shiftKey: true }), false],
    ['j', pressed('j', { ctrlKey: true }), false],
    ['j', pressed('j', { metaKey: true }), false],
    ['ArrowDown', pressed('ArrowDown', { shiftKey: true }), false],
  ])('returns for %s and %o: %s', (keys, event, isMatch) => {
    expect(matches(parseStroke(keys), event, false)).toBe(isMatch);
  });

  it('uses ⌘ instead of Ctrl on a Mac, where Ctrl is left to the terminal', () => {
    const stroke = parseStroke('Mod+Shift+P');
    expect(matches(stroke, pressed('p', { metaKey: true, shiftKey: true }), true)).toBe(true);
    expect(matches(stroke, pressed('P', ctrlShift), true)).toBe(false);
  });
});

it.each([
  ['Mod+Shift+P', ['Ctrl', 'Shift', 'P'], ['⌘', '⇧', 'P']],
  ['Mod+Alt+Shift+ArrowLeft', ['Ctrl', 'Alt', 'Shift', '←'], ['⌘', '⌥', '⇧', '←']],
  ['G', ['G'], ['G']],
  ['j', ['j'], ['j']],
  ['Escape', ['Esc'], ['Esc']],
  ['F4', ['F4'], ['F4']],
  ['Shift+F4', ['Shift', 'F4'], ['⇧', 'F4']],
])('%s is shown as %j, on a Mac as %j', (keys, caps, macCaps) => {
  expect(capsOf(keys, false)).toEqual(caps);
  expect(capsOf(keys, true)).toEqual(macCaps);
});
