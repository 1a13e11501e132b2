// @vitest-environment happy-dom
// Requests to resize a process to its pane, and screens that are larger than their pane.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import type { Size } from '../../../protocol/scalars.ts';
import { PaneFit } from './pane-fit.ts';

const PANE: Size = { rows: 40, cols: 120 };
const THEIRS: Size = { rows: 60, cols: 200 };

let terminal: Terminal;
let proposal: MockInstance<FitAddon['proposeDimensions']>;
let fit: PaneFit;
let element: HTMLElement;
let isShown: boolean;
let width: number;
let asked: { readonly size: Size; readonly answer: () => void; readonly refuse: () => void }[];

beforeEach(() => {
  vi.useFakeTimers();
  proposal = vi.spyOn(FitAddon.prototype, 'proposeDimensions').mockReturnValue(PANE);
  terminal = new Terminal({ allowProposedApi: true, rows: 24, cols: 80 });
  element = document.createElement('div');
  isShown = true;
  width = 1000;
  Object.defineProperty(element, 'clientWidth', { get: () => (isShown ? width : 0) });
  Object.defineProperty(element, 'clientHeight', { get: () => (isShown ? 1000 : 0), configurable: true });
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
/** Applies a process size, as its output reports it. */
const becomes = ({ rows, cols }: Size): void => terminal.resize(cols, rows);

it('PaneFit requests the size once, until it is answered', async () => {
  await layOut(true);
  await layOut(true);
  expect(asked.map(({ size }) => size)).toEqual([PANE]);
  asked[0]?.answer();
  becomes(PANE);
  await layOut(true);
  expect(asked).toHaveLength(1);
});

it('PaneFit measures the pane when it sends the request, because a new pane is small until it is placed', async () => {
  proposal.mockReturnValue({ rows: 5, cols: 37 });
  fit.layOut(true);
  proposal.mockReturnValue(PANE);
  await vi.runAllTimersAsync();
  expect(asked.map(({ size }) => size)).toEqual([PANE]);
});

it('PaneFit sends no request when the process already has the size, or the pane is hidden', async () => {
  fit.layOut(true);
  becomes(PANE);
  await vi.runAllTimersAsync();
  becomes(THEIRS);
  fit.layOut(true);
  isShown = false;
  await vi.runAllTimersAsync();
  expect(asked).toEqual([]);
});

it('PaneFit requests the size again after a refusal', async () => {
  await layOut(true);
  asked[0]?.refuse();
  await vi.runAllTimersAsync();
  await layOut(true);
  expect(asked).toHaveLength(2);
});

it('PaneFit requests the size again for a pane that was hidden while another page had control', async () => {
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

/** An 80-column screen with cells of a typical width. */
function addScreen(): void {
  const screen = document.createElement('div');
  screen.className = 'xterm-screen';
  Object.defineProperty(screen, 'clientWidth', { get: () => 80 * 0.6 * (terminal.options.fontSize ?? 0) });
  Object.defineProperty(screen, 'clientHeight', { get: () => 24 * 1.2 * (terminal.options.fontSize ?? 0) });
  element.append(screen);
}

it.each([
  { room: 592, size: 12, why: 'all of it fits' },
  { room: 1000, size: 16, why: 'larger ones are not pleasant' },
  { room: 400, size: 10, why: 'smaller ones could not be read' },
])(
  'a terminal that another page controls has letters of $size px in a pane of $room px: $why',
  async ({ room, size }) => {
    width = room;
    addScreen();
    await layOut(false);
    expect(terminal.options.fontSize).toBe(size);
  },
);

it('PaneFit reserves no room for a scroll bar that is not shown', async () => {
  width = 578;
  addScreen();
  terminal.options.scrollbar = { showScrollbar: false };
  await layOut(false);
  expect(terminal.options.fontSize).toBe(12);
});

it('a terminal larger than its pane is scrolled, and can be zoomed out', async () => {
  width = 400;
  addScreen();
  await layOut(false);
  expect(element.classList.contains('zoomed')).toBe(true);
  fit.zoom(0.7);
  await layOut(false);
  expect(terminal.options.fontSize).toBe(7);
  expect(element.classList.contains('zoomed')).toBe(false);
});

it('a bar that temporarily takes room from the pane scrolls the terminal instead of resizing it', async () => {
  const screen = element.appendChild(document.createElement('div'));
  screen.className = 'xterm-screen';
  becomes(PANE);
  let paneHeight = 1000;
  Object.defineProperty(screen, 'clientHeight', { get: () => 1000 });
  Object.defineProperty(element, 'clientHeight', { get: () => paneHeight });
  await layOut(true);
  paneHeight = 970;
  proposal.mockReturnValue({ ...PANE, rows: PANE.rows - 2 });
  fit.keepUnder(30);
  await layOut(true);
  expect(element.classList.contains('zoomed')).toBe(true);
  expect(asked).toEqual([]);
  // A pane that shrinks still resizes its process.
  paneHeight = 470;
  await layOut(true);
  expect(asked.map(({ size }) => size)).toEqual([{ ...PANE, rows: 20 }]);
  paneHeight = 1000;
  proposal.mockReturnValue(PANE);
  fit.keepUnder(0);
  await layOut(true);
  expect(element.classList.contains('zoomed')).toBe(false);
});
