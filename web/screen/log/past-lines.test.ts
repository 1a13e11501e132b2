// Recorded lines in the page: a bounded number of pages, asked for where somebody looks.
import { expect, it } from 'vitest';
import type { LinesResult, RecordedRow } from '../../../protocol/recorded-lines.ts';
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
  const ask = (query: LinesQuery): Promise<LinesResult> => {
    queries.push(query);
    const { row = 0, limit = 500 } = query;
    const rows = Array.from({ length: limit }, (_, at) => rowOf(row + at, textOf(row + at)));
    return Promise.resolve({ rows, place: null });
  };
  return { lines: new PastLines(ask, () => undefined), queries };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('recorded lines are asked for once, those in sight before their neighbours', async () => {
  const { lines, queries } = asked((row) => `line ${row}`);
  for (let frame = 0; frame < 10; frame += 1) {
    lines.want(500_000, 500_040, ROWS);
    await settled();
  }
  expect(queries.map(({ row }) => row)).toEqual([500_000, 499_600, 500_400]);
  expect(lines.at(500_017)).toMatchObject({ text: 'line 500017', number: 500_018 });
});

it('recorded lines stay within a limit however far somebody scrolls', async () => {
  const { lines } = asked((row) => `line ${row}`);
  for (let row = 0; row < 200_000; row += 400) {
    lines.want(row, row + 40, ROWS);
    await settled();
  }
  const kept = Array.from({ length: 200_000 }, (_, row) => row).filter((row) => lines.at(row));
  expect(kept.length).toBeLessThanOrEqual(20_000);
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
