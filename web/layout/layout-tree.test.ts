// The tree of panes keeps every pane exactly once, whatever is done to it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPane,
  keysOf,
  movePane,
  neighbourOf,
  pane,
  parseLayout,
  placeDividers,
  placePanes,
  removePane,
  roomFor,
  setShare,
  type Layout,
  type Side,
} from './layout-tree.ts';

const sides: Side[] = ['left', 'right', 'above', 'below'];

describe('layout tree', () => {
  it('splits the pane that is named, on the side that is named', () => {
    const layout = addPane(addPane(addPane(null, 'a', null, 'right'), 'b', 'a', 'right'), 'c', 'b', 'above');
    expect(layout).toMatchObject({
      direction: 'row',
      first: { key: 'a' },
      second: { direction: 'column', first: { key: 'c' }, second: { key: 'b' } },
    });
  });

  it('gives the space of a closed pane to its neighbour', () => {
    const layout = addPane(addPane(addPane(null, 'a', null, 'right'), 'b', 'a', 'right'), 'c', 'b', 'below');
    expect(removePane(layout, 'a')).toMatchObject({
      direction: 'column',
      first: { key: 'b' },
      second: { key: 'c' },
    });
    expect(removePane(addPane(null, 'a', null, 'right'), 'a')).toBeNull();
  });

  it('leaves every pane some space', () => {
    const layout = addPane(addPane(null, 'a', null, 'right'), 'b', 'a', 'right');
    expect(setShare(layout, [], 7)).toMatchObject({ share: 0.9 });
    expect(setShare(layout, [], -7)).toMatchObject({ share: 0.1 });
  });

  it('survives any sequence of opening, closing and moving', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({
      what: fc.constantFrom('add', 'remove', 'move'),
      key,
      beside: key,
      side: fc.constantFrom(...sides),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let layout: Layout | null = null;
        const open = new Set<string>();
        for (const { what, key: name, beside, side } of steps) {
          if (what === 'add') {
            layout = addPane(layout, name, beside, side);
            open.add(name);
          } else if (what === 'remove') {
            layout = removePane(layout, name);
            open.delete(name);
          } else if (layout && open.has(name)) {
            layout = movePane(layout, name, beside, side);
          }
          expect(keysOf(layout).sort()).toEqual([...open].sort());
          expect(parseLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
        }
      }),
    );
  });

  it.each([null, 5, {}, { kind: 'pane' }, { kind: 'split', direction: 'row', share: 0.5 }, 'pane'])(
    'reads %j as no layout',
    (value) => {
      expect(parseLayout(value)).toBeNull();
    },
  );
});

describe('places', () => {
  const layout = addPane(addPane(addPane(null, 'a', null, 'right'), 'b', 'a', 'right'), 'c', 'b', 'below');

  it('divide the whole space', () => {
    expect(placePanes(setShare(layout, [], 0.25))).toEqual([
      { key: 'a', rect: { left: 0, top: 0, width: 0.25, height: 1 } },
      { key: 'b', rect: { left: 0.25, top: 0, width: 0.75, height: 0.5 } },
      { key: 'c', rect: { left: 0.25, top: 0.5, width: 0.75, height: 0.5 } },
    ]);
    const areas = placePanes(layout).map(({ rect }) => rect.width * rect.height);
    expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(1);
  });

  it('have a divider for every split, at its path', () => {
    expect(placeDividers(layout)).toMatchObject([
      { path: [], direction: 'row', rect: { left: 0, width: 1 } },
      { path: ['second'], direction: 'column', rect: { left: 0.5, width: 0.5 } },
    ]);
  });

  it.each([
    ['nothing is open', null, null, { beside: null, side: 'right' }],
    ['the focused pane is wide', pane('a'), 'a', { beside: 'a', side: 'right' }],
    ['the focused pane is high', layout, 'a', { beside: 'a', side: 'below' }],
    ['the focused pane is too small', layout, 'c', { beside: 'a', side: 'below' }],
    ['no pane is focused', layout, null, { beside: 'a', side: 'below' }],
  ] as const)('are found for a new pane when %s', (_, open, focused, room) => {
    expect(roomFor(open, focused, { width: 1000, height: 700 })).toEqual(room);
  });
});

describe('neighbourOf', () => {
  const layout = addPane(addPane(addPane(null, 'a', null, 'right'), 'b', 'a', 'right'), 'c', 'b', 'below');
  it.each([
    ['b', 'left', 'a'],
    ['c', 'left', 'a'],
    ['c', 'above', 'b'],
    ['b', 'below', 'c'],
    ['a', 'left', null],
    ['a', 'above', null],
    ['x', 'right', null],
  ] as const)('of %s on the side %s is %s', (key, side, neighbour) => {
    expect(neighbourOf(layout, key, side)).toBe(neighbour);
  });

  it('is the one that shares the most of the edge', () => {
    const uneven = setShare(layout, ['second'], 0.3);
    expect(neighbourOf(uneven, 'a', 'right')).toBe('c');
  });
});
