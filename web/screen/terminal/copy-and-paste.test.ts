// Handling of a key on each platform: by the program, the browser or the page.
import type { Terminal } from '@xterm/xterm';
import { describe, expect, it, vi } from 'vitest';
import type { Platform } from '../../state/page/platform.ts';
import { handleKey, keyAct, type KeyAct } from './copy-and-paste.ts';

const act = (keys: string, platform: Platform, hasSelection = false, isTty = true): KeyAct => {
  const names = keys.split('+');
  const held = {
    ctrlKey: names.includes('Ctrl'),
    shiftKey: names.includes('Shift'),
    altKey: names.includes('Alt'),
    metaKey: names.includes('Cmd'),
  };
  return keyAct({ key: names.at(-1) ?? '', ...held }, { platform, hasSelection, isTty });
};

describe('keyAct', () => {
  it.each<readonly [keys: string, plain: KeyAct, selected: KeyAct, mac: KeyAct, windows: KeyAct]>([
    ['Ctrl+c', 'program', 'copy', 'program', 'program'],
    ['Ctrl+Shift+C', 'copy', 'copy', 'copy', 'copy'],
    ['Ctrl+v', 'program', 'program', 'program', 'browser'],
    ['Ctrl+Shift+V', 'browser', 'browser', 'browser', 'browser'],
    ['Shift+Insert', 'browser', 'browser', 'browser', 'browser'],
    ['Ctrl+Insert', 'browser', 'browser', 'browser', 'browser'],
    ['Insert', 'program', 'program', 'program', 'program'],
    ['Cmd+c', 'program', 'program', 'browser', 'program'],
    ['Cmd+v', 'program', 'program', 'browser', 'program'],
    ['Ctrl+Alt+c', 'program', 'program', 'program', 'program'],
    ['Ctrl+x', 'program', 'program', 'program', 'program'],
  ])('assigns %s on each platform, with and without a selection', (keys, plain, selected, mac, windows) => {
    expect([act(keys, 'other'), act(keys, 'other', true), act(keys, 'mac'), act(keys, 'windows')]).toEqual([
      plain,
      selected,
      mac,
      windows,
    ]);
  });
  it('interrupts with Ctrl+C on a Mac regardless of the selection, and sends the signal itself without a terminal', () => {
    expect(act('Ctrl+c', 'mac', true)).toBe('program');
    expect(act('Ctrl+c', 'other', false, false)).toBe('interrupt');
    expect(act('Ctrl+c', 'mac', true, false)).toBe('interrupt');
    expect(act('Ctrl+c', 'other', true, false)).toBe('copy');
  });
});

it('Ctrl+C right after the selection was lost shows a hint once instead of interrupting', () => {
  let hasGone = true;
  const [hint, interrupt] = [vi.fn(), vi.fn()];
  const keys = {
    terminal: { hasSelection: () => false } as unknown as Terminal,
    platform: 'other' as const,
    isTty: false,
    takeGoneSelection: () => {
      const was = hasGone;
      hasGone = false;
      return was;
    },
    hint,
    interrupt,
  };
  const press = (key: string): boolean => {
    const event = { type: 'keydown', key, ctrlKey: true, preventDefault: () => {} };
    return handleKey(event as KeyboardEvent, keys);
  };
  press('Control');
  expect(press('c')).toBe(false);
  expect(hint).toHaveBeenCalledTimes(1);
  expect(interrupt).not.toHaveBeenCalled();
  press('c');
  expect(interrupt).toHaveBeenCalledTimes(1);
});

it.each([
  ['y', false, 1],
  ['Enter', false, 1],
  ['PageUp', false, 0],
  ['y', true, 0],
])('the key %s, with a terminal: %s, shows %i hints that nothing was typed', (key, isTty, times) => {
  const hint = vi.fn();
  const event = { type: 'keydown', key, ctrlKey: false, altKey: false, metaKey: false };
  const terminal = { hasSelection: () => false } as unknown as Terminal;
  const others = { platform: 'other', takeGoneSelection: () => false, interrupt: () => {} } as const;
  expect(handleKey(event as KeyboardEvent, { terminal, isTty, hint, ...others })).toBe(true);
  expect(hint).toHaveBeenCalledTimes(times);
});
