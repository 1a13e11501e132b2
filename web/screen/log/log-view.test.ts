// @vitest-environment happy-dom
// Retained lines, reading position and line counts of a log view.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Stream } from '../../../protocol/process.ts';
import type { LinesResult, RecordedRow } from '../../../protocol/recorded-lines.ts';
import { LogView } from './log-view.ts';
import type { LogViewOptions } from './log-view-options.ts';
import type { AskLines } from './past-lines.ts';

/** More lines than a log retains. */
const FLOOD_LINES = 110_000;
const encoder = new TextEncoder();

let view: LogView;
let offset = 0;
const interrupted = vi.fn();
const selectionChanged = vi.fn();
const ask = vi.fn<AskLines>();
const shown = vi.fn<LogViewOptions['onState']>();

function print(text: string, stream: Stream = 'stdout'): void {
  const bytes = encoder.encode(text);
  view.lines.output(stream, bytes, offset, null);
  offset += bytes.length;
}

const recorded = (row: number): RecordedRow => ({
  row,
  kind: 'line',
  number: row + 1,
  isAfterGap: false,
  stream: 'stdout',
  offset: row,
  atMs: 0,
  text: `recorded ${row + 1}`,
  isCut: false,
});

const flood = (): void => print('x\n'.repeat(FLOOD_LINES));
const retained = (): number => view.lines.endId - view.lines.firstId;
const drawn = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

async function scrollUp(): Promise<void> {
  view.element.scrollTop = 100;
  view.element.dispatchEvent(new Event('scroll'));
  await drawn();
}

function selectFirst(): void {
  const [text] = view.element.querySelectorAll('.log-rows .log-text');
  if (text) document.getSelection()?.selectAllChildren(text);
  document.dispatchEvent(new Event('selectionchange'));
}

function unselect(): void {
  document.getSelection()?.removeAllRanges();
  document.dispatchEvent(new Event('selectionchange'));
}

const pressCtrlC = (): boolean =>
  view.element.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, cancelable: true }));

beforeEach(async () => {
  vi.resetAllMocks();
  ask.mockRejectedValue(new Error('offline'));
  offset = 0;
  view = new LogView({
    key: 'a',
    ask,
    askMatches: () => Promise.reject(new Error('offline')),
    onNewLines: () => {},
    onSelected: selectionChanged,
    onInterrupt: interrupted,
    onState: shown,
  });
  document.body.append(view.element);
  for (const [name, value] of [
    ['clientHeight', 400],
    ['clientWidth', 800],
    ['scrollHeight', 4000],
  ] as const) {
    Object.defineProperty(view.element, name, { value });
  }
  view.show(true);
  print('precious\n'.repeat(1000));
  await drawn();
});
afterEach(() => {
  unselect();
  view.dispose();
});

it('a hidden log view retains no extra lines for its reader, and accepts more output', async () => {
  await scrollUp();
  flood();
  expect([retained() > FLOOD_LINES, view.isFull]).toEqual([true, true]);
  view.show(false);
  expect(view.isFull).toBe(false);
  flood();
  expect(retained()).toBeLessThan(FLOOD_LINES);
  view.show(true);
  expect(view.isFull).toBe(true);
});

it('a log view keeps selected lines, and accepts no more output than fits until the selection is cleared', () => {
  selectFirst();
  flood();
  expect(view.lines.at(0)).toMatchObject({ text: 'precious' });
  expect(view.isFull).toBe(true);
  pressCtrlC();
  expect(interrupted).not.toHaveBeenCalled();

  selectionChanged.mockClear();
  unselect();
  expect(selectionChanged).toHaveBeenCalledTimes(1);
  expect(view.isFull).toBe(false);
  print('x\n');
  expect(retained()).toBeLessThan(FLOOD_LINES);
  pressCtrlC();
  expect(interrupted).toHaveBeenCalledTimes(1);
});

it('a log view continues to the start of the recording when that becomes known after the Home key', async () => {
  let counted: (lines: LinesResult) => void = () => {};
  ask.mockReturnValueOnce(new Promise((resolve) => (counted = resolve)));
  ask.mockImplementation(({ row = 0 }) => Promise.resolve({ rows: [recorded(row)], place: null }));
  flood();
  await drawn();
  view.element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
  await drawn();
  counted({ rows: [], place: { row: 0, number: 0, isAfterGap: false, open: [] } });
  await expect.poll(() => view.element.querySelector('.log-rows .log-text')?.textContent).toBe('recorded 1');
});

it('a log view clears the selection when its reader goes to the end or the view is hidden', () => {
  selectFirst();
  view.toEnd();
  expect(document.getSelection()?.isCollapsed ?? true).toBe(true);
  selectFirst();
  view.show(false);
  expect(document.getSelection()?.isCollapsed ?? true).toBe(true);
});

it('a log view follows new output after it was cleared', async () => {
  await scrollUp();
  expect(view.newLines).not.toBeNull();
  view.clear();
  expect([view.newLines, retained()]).toEqual([null, 0]);
});

it('a log view reports immediately how many lines its filter hides, and whether that is all of them', async () => {
  view.showOnly('stderr');
  expect(shown).toHaveBeenLastCalledWith({ hidden: { lines: 1000, isAll: true } });
  print('problem\n', 'stderr');
  await drawn();
  expect(shown).toHaveBeenLastCalledWith({ hidden: { lines: 1000, isAll: false } });
  view.showOnly(null);
  expect(shown).toHaveBeenLastCalledWith({ hidden: null });
});

it('a log view counts only lines that its filter shows as new', async () => {
  print('problem\n'.repeat(1000), 'stderr');
  view.showOnly('stderr');
  await drawn();
  await scrollUp();
  print('x\n'.repeat(3));
  print('problem\n'.repeat(2), 'stderr');
  await drawn();
  expect(view.newLines).toBe(2);
  view.showOnly(null);
  await drawn();
  expect(view.newLines).toBe(0);
});

it('a log view does not count dropped lines as hidden', async () => {
  view.showOnly('stderr');
  flood();
  await drawn();
  expect(view.lines.hidden).toEqual({ lines: retained(), isAll: true });
  view.clear();
  expect(view.lines.hidden).toEqual({ lines: 0, isAll: true });
});

it('a log view keeps the line of its reader in view while it looks for that line in the recording', async () => {
  await scrollUp();
  let found: (lines: LinesResult) => void = () => {};
  const looking = new Promise<LinesResult>((resolve) => (found = resolve));
  ask.mockImplementation(({ row, limit = 1 }) => {
    if (limit === 1)
      return Promise.resolve({ rows: [], place: { row: 1001, number: 1000, isAfterGap: false, open: [] } });
    if (row === undefined) return looking;
    return Promise.resolve({
      rows: Array.from({ length: limit }, (_, at) => recorded(row + at)),
      place: null,
    });
  });
  view.lines.gap(10);
  offset += 10;
  print('later\n'.repeat(1000));
  await expect
    .poll(() => ask.mock.calls as readonly unknown[])
    .toContainEqual([{ offset: expect.any(Number), limit: 200 }]);
  await drawn();
  const texts = (): string[] =>
    [...view.element.querySelectorAll('.log-rows .log-text')].map(({ textContent }) => textContent);
  expect(new Set(texts())).toEqual(new Set(['precious']));
  found({ rows: [recorded(500)], place: null });
  await expect.poll(texts).toContain('recorded 501');
});
