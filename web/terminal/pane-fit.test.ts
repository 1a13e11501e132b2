// @vitest-environment happy-dom
// When a process is asked to have the pane's size, and when not again.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Size } from '../../server/protocol/scalars.ts';
import { PaneFit } from './pane-fit.ts';

const PANE: Size = { rows: 40, cols: 120 };
const THEIRS: Size = { rows: 60, cols: 200 };

let terminal: Terminal;
let fit: PaneFit;
let isShown: boolean;
let asked: { readonly size: Size; readonly answer: () => void; readonly refuse: () => void }[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(FitAddon.prototype, 'proposeDimensions').mockReturnValue(PANE);
  terminal = new Terminal({ allowProposedApi: true, rows: 24, cols: 80 });
  const element = document.createElement('div');
  isShown = true;
  for (const side of ['clientWidth', 'clientHeight']) {
    Object.defineProperty(element, side, { get: () => (isShown ? 1000 : 0) });
  }
  asked = [];
  const resize = (size: Size): Promise<void> =>
    new Promise((resolve, reject) => {
      asked.push({ size, answer: resolve, refuse: () => reject(new Error('no')) });
    });
  fit = new PaneFit({ terminal, element, resize });
});
afterEach(() => {
  fit.dispose();
  terminal.dispose();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const layOut = async (isControlled: boolean): Promise<void> => {
  fit.layOut(isControlled);
  await vi.runAllTimersAsync();
};
/** The process has a size, as its output says. */
const becomes = ({ rows, cols }: Size): void => terminal.resize(cols, rows);

it('is asked for once, until it is answered', async () => {
  await layOut(true);
  await layOut(true);
  expect(asked.map(({ size }) => size)).toEqual([PANE]);
  asked[0]?.answer();
  becomes(PANE);
  await layOut(true);
  expect(asked).toHaveLength(1);
});

it('is asked for again when it was refused', async () => {
  await layOut(true);
  asked[0]?.refuse();
  await vi.runAllTimersAsync();
  await layOut(true);
  expect(asked).toHaveLength(2);
});

it('is given again by a pane that was hidden while somebody else had control', async () => {
  await layOut(true);
  asked[0]?.answer();
  becomes(PANE);
  isShown = false;
  await layOut(false);
  becomes(THEIRS);
  await layOut(true);
  isShown = true;
  await layOut(true);
  expect(asked.map(({ size }) => size)).toEqual([PANE, PANE]);
});
