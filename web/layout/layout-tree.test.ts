// The tree of panes keeps every pane exactly once, whatever is done to it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPane,
  keysOf,
  movePane,
  parseLayout,
  removePane,
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
