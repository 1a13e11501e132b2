// Markers between lines and above all lines.
import type { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { Dividers } from './dividers.ts';

/** Fakes the parts of a terminal that markers use; its decorations are listed by their offset from the cursor. */
function makeTerminal(pane?: { readonly clientWidth: number; readonly scrollLeft: number }) {
  const drawn = new Map<object, { readonly text: string; readonly offset: number; readonly words: string }>();
  const lines: string[] = [];
  const normal = {
    type: 'normal',
    baseY: 10,
    viewportY: 10,
    cursorY: 5,
    cursorX: 0,
    getLine: (row: number) => ({
      length: 80,
      getCell: (at: number) => ({ getWidth: () => 1, getChars: () => lines[row]?.[at] ?? '' }),
    }),
  };
  const terminal = {
    cols: 80,
    rows: 24,
    element: { parentElement: pane },
    dimensions: { css: { cell: { width: 10 } } },
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
      const style = { free: '', setProperty: (_: string, free: string) => (style.free = free) };
      const element = { className: '', dataset: {} as DOMStringMap, style };
      return {
        element,
        onRender: (render: (element: HTMLElement) => void) => {
          render(element as unknown as HTMLElement);
          drawn.set(marker, {
            get text() {
              return element.dataset['text'] ?? '';
            },
            offset: marker.offset,
            words: `${element.dataset['words']} ${style.free}`,
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
    lines,
    shown: () => [...drawn.values()],
  };
}

it('only the newest marker is shown above all lines', () => {
  const { dividers, shown } = makeTerminal();
  dividers.addOnTop('1 MB skipped');
  dividers.add('reconnected');
  dividers.addOnTop('3 MB skipped');
  expect(shown()).toMatchObject([
    { text: 'reconnected', offset: 0 },
    { text: '3 MB skipped', offset: -15 },
  ]);
});

it('markers at the same place are merged, in order and without repetition', () => {
  const { dividers, shown, normal } = makeTerminal();
  dividers.add('terminated by page');
  dividers.add('everything ended');
  dividers.add('everything ended');
  normal.cursorX = 3;
  dividers.add('reconnected');
  expect(shown()).toMatchObject([
    { text: 'terminated by page · everything ended', offset: 0 },
    { text: 'reconnected', offset: 0 },
  ]);
});

it('the number of markers between lines is limited, regardless of the one above all lines', () => {
  const { dividers, shown, normal } = makeTerminal();
  for (let n = 0; n < 300; n += 1) dividers.addOnTop(`${n} B skipped`);
  const add = (text: string): void => {
    normal.cursorY += 1;
    dividers.add(text);
  };
  for (let n = 0; n < 199; n += 1) add(`${n}`);
  expect(shown()).toHaveLength(200);
  add('last');
  expect(shown().map(({ text }) => text)).toEqual([...Array.from({ length: 199 }, (_, n) => `${n}`), 'last']);
});

it.each([
  ['after a short line', { own: 'printf AAAA' }, 'own 85%'],
  ['below a long line', { own: 'x'.repeat(70) }, 'other 100%'],
  ['below a long line, after the text there', { own: 'x'.repeat(70), next: 'ab' }, 'other 97.5%'],
  [
    'after a long line when there is even less room below',
    { own: 'x'.repeat(70), next: 'x'.repeat(75) },
    'own 11.25%',
  ],
  ['nowhere when there is no room', { own: 'x'.repeat(79), next: 'x'.repeat(80) }, 'none 0%'],
])(
  'a marker has its text %s, so that it covers nothing',
  (_, { own, next = '' }: { own: string; next?: string }, words) => {
    const { dividers, shown, normal, lines } = makeTerminal();
    lines[15] = own;
    lines[16] = next;
    normal.cursorX = own.length;
    dividers.add('reconnected · this line is half typed');
    expect(shown()[0]?.words).toBe(words);
  },
);

it.each([
  ['the visible columns', { clientWidth: 400, scrollLeft: 0 }, 'printf AAAA', 'own 35%'],
  ['the columns that are scrolled to', { clientWidth: 400, scrollLeft: 200 }, 'printf AAAA', 'own 60%'],
  ['the row below when its own is full', { clientWidth: 400, scrollLeft: 0 }, 'x'.repeat(60), 'other 50%'],
  ['all columns when there is room for more', { clientWidth: 999, scrollLeft: 0 }, 'ab', 'own 96.25%'],
])('a marker in a narrow pane has its text within %s', (_, pane, own, words) => {
  const { dividers, shown, normal, lines } = makeTerminal(pane);
  lines[15] = own;
  normal.cursorX = own.length;
  dividers.add('reconnected · this line is half typed');
  expect(shown()[0]?.words).toBe(words);
});
