// Command table: each command appears once, each key has one meaning at a time, and few keys are withheld from
// terminal programs.
import { describe, expect, it, vi } from 'vitest';
import { strokesOf } from '../../commands/key-bindings.ts';
import { offered, paletteItems } from '../../commands/palette-search.ts';

const storage = { getItem: () => null, setItem: () => {} };
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
vi.stubGlobal('navigator', { platform: 'Linux' });
vi.stubGlobal('window', {
  addEventListener: () => {},
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
});
const { COMMANDS } = await import('../../commands/commands.ts');

const bindings = COMMANDS.flatMap(({ id, keys = [] }) => keys.map((binding) => ({ id, ...binding })));

/** Words that people type without knowing the command names, each with a command that they may mean. */
const EVERYDAY: readonly (readonly [typed: string, id: string])[] = [
  ['split', 'splitRight'],
  ['beside', 'splitRight'],
  ['export', 'download-text'],
  ['save', 'download-text'],
  ['copy', 'plainText'],
  ['restart', 'startLike'],
  ['logs', 'show-as-log'],
  ['bigger', 'text-larger'],
  ['smaller', 'text-smaller'],
  ['size', 'text-larger'],
  ['follow', 'toEnd'],
  ['bottom', 'toEnd'],
  ['failed', 'filter'],
  ['stop', 'interrupt'],
  ['end', 'toEnd'],
];

it.each(EVERYDAY)('the palette finds %s for “%s”, and no dangerous command first', (typed, id) => {
  const found = offered(paletteItems(COMMANDS, [], []), typed, []).map(({ item }) => item);
  expect(found.slice(0, 6).map((item) => item.id)).toContain(id);
  if (typed !== 'stop') expect(found[0]?.isDangerous).toBe(false);
});

describe('The table of commands', () => {
  it('has every command once', () => {
    const ids = COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('takes only one key from a terminal that has the keyboard: the one that leaves it', () => {
    expect(bindings.filter(({ scope }) => scope === 'terminal').map(({ keys }) => keys)).toEqual([
      'Mod+Shift+L',
    ]);
  });

  it('leaves copy and paste keys to the terminal, and reserved keys to the browser', () => {
    const reserved = ['C', 'V', 'N', 'T', 'W', 'I'].map((letter) => `Mod+Shift+${letter}`);
    expect(bindings.filter(({ keys }) => reserved.includes(keys))).toEqual([]);
  });

  it('has one meaning for each key, except for opposites that are never possible at the same time', () => {
    const opposites = new Map([
      ['w', ['wall', 'leaveWall']],
      ['r r', ['restart', 'endAndRestart']],
      ['b', ['busiestFirst', 'byAgent']],
      ['Escape', ['withdraw', 'clearSelection', 'leaveWall', 'goToTerminal']],
      ['Mod+Shift+G', ['wall', 'leaveWall']],
      ['Mod+Shift+L', ['goToList', 'stopTyping']],
      ['Enter', ['open', 'type']],
    ]);
    // Keys of a request override those of the element that shows it.
    const ofRequests = bindings.filter(({ scope }) => scope === 'request');
    expect(new Set(ofRequests.map(({ keys }) => keys)).size).toBe(ofRequests.length);
    const others = bindings.filter(({ scope }) => scope !== 'request');
    for (const { id, keys } of others) {
      const ids = others.filter((other) => other.keys === keys).map((other) => other.id);
      expect(ids, keys).toEqual(opposites.get(keys) ?? [id]);
    }
  });

  it('starts no sequence of keys with a key that has its own meaning', () => {
    const single = new Set(
      bindings
        .filter(({ keys, scope }) => scope !== 'request' && strokesOf(keys).length === 1)
        .map(({ keys }) => keys),
    );
    for (const { keys } of bindings) {
      const [first = '', ...rest] = strokesOf(keys);
      if (rest.length > 0) expect(single.has(first), keys).toBe(false);
    }
  });
});
