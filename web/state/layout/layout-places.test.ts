// Groups fill the whole space, none is smaller than a readable size, and neighbours are those visible on that side.
import { describe, expect, it } from 'vitest';
import { fits, neighbourOf, placeLayout, SMALLEST_GROUP, smallestSpace } from './layout-places.ts';
import { group, placePane, setShare } from './layout-tree.ts';

/** Layout: a beside b, with c below b. */
const layout = placePane(placePane(group(['a', 'b', 'c']), 'b', 'a', 'right'), 'c', 'b', 'below');
const space = { width: 1280, height: 800 };

describe('Places', () => {
  it('divide the whole space', () => {
    const { whole, groups } = placeLayout(setShare(layout, [], 0.4), space);
    expect(whole).toEqual(space);
    expect(groups.map(({ group: { shown }, rect }) => [shown, rect])).toEqual([
      ['a', { left: 0, top: 0, width: 512, height: 800 }],
      ['b', { left: 512, top: 0, width: 768, height: 400 }],
      ['c', { left: 512, top: 400, width: 768, height: 400 }],
    ]);
  });

  it('have a divider for every split, with its path and its allowed range', () => {
    expect(placeLayout(layout, space).dividers).toMatchObject([
      { path: [], direction: 'row', share: 0.5, least: 0.25, most: 0.75 },
      { path: ['second'], direction: 'column', share: 0.5, least: 0.25, most: 0.75, rect: { left: 640 } },
    ]);
  });

  it('give every group at least its minimum size, whatever its share', () => {
    const { groups } = placeLayout(setShare(layout, [], 0.05), space);
    expect(groups[0]?.rect.width).toBe(SMALLEST_GROUP.width);
  });

  it('have room for two groups beside the list on a page of 1024 px', () => {
    expect(fits(placePane(group(['a', 'b']), 'b', 'a', 'right'), { width: 676, height: 666 })).toBe(true);
  });

  it('exceed a space that is too small, so that it scrolls', () => {
    const small = { width: 400, height: 300 };
    expect(fits(layout, space)).toBe(true);
    expect(fits(layout, small)).toBe(false);
    expect(placeLayout(layout, small).whole).toEqual(smallestSpace(layout));
  });
});

describe('neighbourOf', () => {
  it.each([
    ['b', 'left', 'a'],
    ['c', 'left', 'a'],
    ['c', 'above', 'b'],
    ['b', 'below', 'c'],
    ['a', 'left', undefined],
    ['a', 'above', undefined],
    ['x', 'right', undefined],
  ] as const)('returns for %s on the side %s: %s', (key, side, neighbour) => {
    expect(neighbourOf(layout, key, side)?.shown).toBe(neighbour);
  });

  it('returns the group that shares most of the edge', () => {
    expect(neighbourOf(setShare(layout, ['second'], 0.3), 'a', 'right')?.shown).toBe('c');
    expect(neighbourOf(setShare(layout, ['second'], 0.7), 'a', 'right')?.shown).toBe('b');
  });
});
