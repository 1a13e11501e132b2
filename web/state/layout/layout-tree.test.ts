// The tree of groups contains every process exactly once, after any change.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  group,
  groupsOf,
  groupWith,
  keysOf,
  mapKeys,
  MOST_TABS,
  openTab,
  parseLayout,
  placePane,
  removePane,
  setShare,
  showTab,
  type Layout,
  type Place,
} from './layout-tree.ts';

const tabs = group(['a', 'b', 'c'], 'b');

describe('Tabs', () => {
  it('open after the focused one, and replace none', () => {
    expect(openTab(null, 'a', null)).toEqual(group(['a']));
    expect(openTab(tabs, 'd', 'b')).toEqual(group(['a', 'b', 'd', 'c'], 'd'));
    expect(openTab(tabs, 'd', null)).toEqual(group(['a', 'b', 'c', 'd'], 'd'));
  });

  it('are shown, not opened again, when they are already open', () => {
    expect(openTab(tabs, 'c', 'a')).toEqual(group(['a', 'b', 'c'], 'c'));
  });

  it('reveal the next one when they close, otherwise the previous one', () => {
    expect(removePane(tabs, 'b')).toEqual(group(['a', 'c'], 'c'));
    expect(removePane(showTab(tabs, 'c'), 'c')).toEqual(group(['a', 'b'], 'b'));
    expect(removePane(tabs, 'a')).toEqual(group(['b', 'c'], 'b'));
    expect(removePane(group(['a']), 'a')).toBeNull();
  });

  it.each([
    ['a', 3, ['b', 'c', 'a']],
    ['a', 2, ['b', 'a', 'c']],
    ['a', 1, ['a', 'b', 'c']],
    ['c', 0, ['c', 'a', 'b']],
    ['c', 1, ['a', 'c', 'b']],
  ] as const)('move within their group: %s to %i', (key, place, keys) => {
    const beside = key === 'a' ? 'b' : 'a';
    expect(placePane(tabs, key, beside, place)).toEqual({ kind: 'group', keys, shown: key });
  });
});

describe('Groups', () => {
  const two = placePane(tabs, 'c', 'a', 'right');

  it('are split off on the given side', () => {
    expect(two).toMatchObject({ direction: 'row', first: { keys: ['a', 'b'] }, second: { keys: ['c'] } });
    expect(placePane(tabs, 'b', 'b', 'above')).toMatchObject({
      direction: 'column',
      first: { keys: ['b'] },
      second: { keys: ['a', 'c'] },
    });
  });

  it('accept a tab from another group, and are removed with their last tab', () => {
    expect(placePane(two, 'c', 'b', 0)).toEqual(group(['c', 'a', 'b']));
    expect(removePane(two, 'c')).toEqual(group(['a', 'b'], 'b'));
  });

  it('stay unchanged when moved beside themselves', () => {
    expect(placePane(two, 'c', 'c', 'above')).toBe(two);
    expect(placePane(two, 'c', 'unknown', 'above')).toBe(two);
  });

  it('keep a share of the space within bounds', () => {
    expect(setShare(two, [], 7)).toMatchObject({ share: 0.95 });
    expect(setShare(two, [], -7)).toMatchObject({ share: 0.05 });
  });

  it('are restored with other processes, leaving out those that are gone', () => {
    const names = new Map([
      ['a', 'x'],
      ['c', 'c'],
    ]);
    expect(mapKeys(two, names)).toMatchObject({
      first: { keys: ['x'], shown: 'x' },
      second: { keys: ['c'] },
    });
    expect(mapKeys(two, new Map([['c', 'y']]))).toEqual(group(['y']));
    expect(mapKeys(two, new Map())).toBeNull();
  });
});

it('the tree stays consistent after any sequence of opening, closing and moving', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const place = fc.constantFrom<Place>('left', 'right', 'above', 'below', 0, 1, 2, 9);
  const step = fc.record({ what: fc.constantFrom('open', 'close', 'move'), key, beside: key, place });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      let layout: Layout | null = null;
      const open = new Set<string>();
      for (const { what, key: name, beside, place: at } of steps) {
        if (what === 'open') {
          layout = openTab(layout, name, beside);
          open.add(name);
        } else if (what === 'close') {
          layout = removePane(layout, name);
          open.delete(name);
        } else if (layout && open.has(name)) {
          layout = placePane(layout, name, beside, at);
        }
        expect(keysOf(layout).sort()).toEqual([...open].sort());
        for (const { keys, shown } of groupsOf(layout)) expect(keys).toContain(shown);
        if (what === 'open') expect(groupWith(layout, name)?.shown).toBe(name);
        expect(parseLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
      }
    }),
  );
});

describe('A stored layout', () => {
  it('can be read in the format from before tabs', () => {
    const pane = (name: string) => ({ kind: 'pane', key: name });
    const stored = { kind: 'split', direction: 'row', share: 0.3, first: pane('a'), second: pane('b') };
    expect(parseLayout(stored)).toEqual({ ...stored, first: group(['a']), second: group(['b']) });
  });

  it('shows its first tab when the stored one is not in it', () => {
    expect(parseLayout({ kind: 'group', keys: ['a', 'b'], shown: 'c' })).toEqual(group(['a', 'b']));
  });

  it.each([
    null,
    5,
    {},
    'group',
    { kind: 'pane' },
    { kind: 'group', keys: [] },
    { kind: 'group', keys: ['a', 5] },
    { kind: 'group', keys: ['a', 'a'] },
    { kind: 'group', keys: ['a', '__proto__'] },
    { kind: 'group', keys: ['<b>'] },
    { kind: 'group', keys: Array.from({ length: MOST_TABS + 1 }, (_, index) => `${index}`) },
    { kind: 'split', direction: 'row', share: 0.5 },
  ])('is rejected: %j', (value) => {
    expect(parseLayout(value)).toBeNull();
  });
});
