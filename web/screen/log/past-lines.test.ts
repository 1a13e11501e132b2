// Recorded lines in the page: a bounded number of pages, requested when they come into view.
import { expect, it, vi } from 'vitest';
import type { RecordedRow } from '../../../protocol/recorded-lines.ts';
import { PastLines, type LinesQuery } from './past-lines.ts';

const ROWS = 1_000_000;

const rowOf = (row: number, text: string): RecordedRow => ({
  row,
  kind: 'line',
  number: row + 1,
  isAfterGap: false,
  stream: 'stdout',
  offset: row * 10,
  atMs: 0,
  text,
  isCut: false,
});

function asked(textOf: (row: number) => string): { lines: PastLines; queries: LinesQuery[] } {
  const queries: LinesQuery[] = [];
  const ask = (query: LinesQuery): Promise<readonly RecordedRow[]> => {
    queries.push(query);
    const { row = 0, limit = 500 } = query;
    return Promise.resolve(Array.from({ length: limit }, (_, at) => rowOf(row + at, textOf(row + at))));
  };
  return { lines: new PastLines(ask, () => undefined), queries };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('recorded lines are requested once, visible ones before their neighbours', async () => {
  const { lines, queries } = asked((row) => `line ${row}`);
  for (let frame = 0; frame < 10; frame += 1) {
    lines.want(500_000, 500_040, ROWS);
    await settled();
  }
  expect(queries.map(({ row }) => row)).toEqual([500_000, 499_600, 500_400]);
  expect(lines.at(500_017)).toMatchObject({ text: 'line 500017', number: 500_018 });
});

it('recorded lines stay within a limit however far the user scrolls', async () => {
  const { lines } = asked((row) => `line ${row}`);
  for (let row = 0; row < 200_000; row += 400) {
    lines.want(row, row + 40, ROWS);
    await settled();
  }
  const retained = Array.from({ length: 200_000 }, (_, row) => row).filter((row) => lines.at(row));
  expect(retained.length).toBeLessThanOrEqual(20_000);
  expect(lines.at(199_600)).toBeDefined();
});

it('a long recorded line is one entry with all its text and its colours', async () => {
  const long = `\u001b[31m${'x'.repeat(20_000)}\u001b[0m end`;
  const { lines } = asked(() => long);
  lines.want(0, 0, 1);
  await settled();
  const entry = lines.at(0);
  expect(entry?.kind === 'line' && [entry.text.length, entry.runs.at(-1)?.start]).toEqual([20_004, 20_000]);
});

it('recorded lines whose rows have changed are requested again immediately', async () => {
  let asked = 0;
  const changed = vi.fn();
  const ask = (): Promise<readonly RecordedRow[] | null> => {
    asked += 1;
    return Promise.resolve(asked === 1 ? null : [rowOf(0, 'first')]);
  };
  const lines = new PastLines(ask, changed);
  lines.want(0, 0, 1);
  await settled();
  expect(changed).toHaveBeenCalledTimes(1);
  lines.want(0, 0, 1);
  await settled();
  expect(lines.at(0)).toMatchObject({ text: 'first' });
});

it('recorded lines that could not be read are redrawn, and thereby requested again, after a pause', async () => {
  vi.useFakeTimers();
  try {
    const changed = vi.fn();
    const lines = new PastLines(() => Promise.reject(new Error('lost')), changed);
    lines.want(0, 0, 1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(changed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(changed).toHaveBeenCalledTimes(1);
    lines.want(0, 0, 1);
    await vi.advanceTimersByTimeAsync(0);
    lines.dispose();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(changed).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

it('recorded lines that arrive again count once', () => {
  const { lines } = asked(() => '');
  lines.take([rowOf(0, 'x'.repeat(5 * 1024 * 1024))]);
  for (let time = 0; time < 4; time += 1) lines.take([rowOf(400, 'y'.repeat(1024 * 1024))]);
  expect(lines.at(0)).toBeDefined();
  expect(lines.at(400)).toBeDefined();
});
