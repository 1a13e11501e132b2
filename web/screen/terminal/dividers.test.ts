// What stands between lines, and above all of them.
import type { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { Dividers } from './dividers.ts';

/** As much of a terminal as dividers use; what is drawn over it now, by its place from the cursor. */
function makeTerminal() {
  const drawn = new Map<object, { readonly text: string; readonly offset: number }>();
  const normal = { type: 'normal', baseY: 10, cursorY: 5, cursorX: 0 };
  const terminal = {
    buffer: { active: normal, normal },
    registerMarker: (offset: number) => {
      const marker = {
        offset,
        line: normal.baseY + normal.cursorY + offset,
        isDisposed: false,
        dispose: () => {
          marker.isDisposed = true;
          marker.line = -1;
          drawn.delete(marker);
        },
      };
      return marker;
    },
    registerDecoration: ({ marker }: { marker: { offset: number; dispose: () => void } }) => {
      const element = { className: '', dataset: {} as DOMStringMap };
      return {
        element,
        onRender: (render: (element: HTMLElement) => void) => {
          render(element as HTMLElement);
          drawn.set(marker, {
            get text() {
              return element.dataset['text'] ?? '';
            },
            offset: marker.offset,
          });
        },
        dispose: () => drawn.delete(marker),
      };
    },
  };
  const writer = { inTurn: (act: () => void) => act() };
  return {
    dividers: new Dividers(terminal as unknown as Terminal, writer),
    normal,
    shown: () => [...drawn.values()],
  };
}

it('has one above all lines: the newest in place of those before', () => {
  const { dividers, shown } = makeTerminal();
  dividers.addOnTop('1 MB not shown');
  dividers.add('reconnected');
  dividers.addOnTop('3 MB not shown');
  expect(shown()).toEqual([
    { text: 'reconnected', offset: 0 },
    { text: '3 MB not shown', offset: -15 },
  ]);
});

it('says in one what stands in one place, in its order', () => {
  const { dividers, shown, normal } = makeTerminal();
  dividers.add('terminated by page');
  dividers.add('all of it ended');
  dividers.add('all of it ended');
  normal.cursorX = 3;
  dividers.add('reconnected');
  expect(shown()).toEqual([
    { text: 'terminated by page · all of it ended', offset: 0 },
    { text: 'reconnected', offset: 0 },
  ]);
});

it('keeps so many between lines, whatever stood above them', () => {
  const { dividers, shown, normal } = makeTerminal();
  for (let n = 0; n < 300; n += 1) dividers.addOnTop(`${n} B not shown`);
  const add = (text: string): void => {
    normal.cursorY += 1;
    dividers.add(text);
  };
  for (let n = 0; n < 199; n += 1) add(`${n}`);
  expect(shown()).toHaveLength(200);
  add('last');
  expect(shown().map(({ text }) => text)).toEqual([...Array.from({ length: 199 }, (_, n) => `${n}`), 'last']);
});
