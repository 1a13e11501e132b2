// Line numbers of lines in memory, once the recorded lines before them have been counted.
import { expect, it } from 'vitest';
import { LogLines } from './log-lines.ts';

const encoder = new TextEncoder();
const shown = (lines: LogLines): (string | number)[][] => {
  const all: (string | number)[][] = [];
  for (let id = lines.firstId; id < lines.endId; id += 1) {
    const entry = lines.at(id);
    if (entry && lines.isShown(entry))
      all.push(entry.kind === 'line' ? [entry.number, entry.text] : [entry.text]);
  }
  return all;
};

it('lines after a gap are numbered from the start of the output, not counting the rest of a recorded line', () => {
  const lines = new LogLines(() => undefined);
  lines.output('stdout', encoder.encode('old\n'), 0, null);
  lines.gap(96);
  lines.output('stdout', encoder.encode('rest of out\n'), 100, null);
  lines.output('stderr', encoder.encode('err\n'), 112, null);
  lines.output('stdout', encoder.encode('new\nopen'), 116, null);
  expect(shown(lines)).toEqual([
    [1, 'old'],
    ['96 bytes skipped'],
    [1, 'rest of out'],
    [2, 'err'],
    [3, 'new'],
    [4, 'open'],
  ]);
  expect([lines.run.offset, lines.run.hasEarlier, lines.pastRows]).toEqual([100, true, 0]);
  lines.locate({ row: 20, number: 20, isAfterGap: false, open: ['stdout'] });
  expect(shown(lines)).toEqual([
    [21, 'err'],
    [22, 'new'],
    [23, 'open'],
  ]);
  expect([lines.pastRows, lines.topId, lines.firstId]).toEqual([20, -18, 2]);
  lines.output('stdout', encoder.encode(' no more\nlast'), 124, null);
  expect(shown(lines).slice(-2)).toEqual([
    [23, 'open no more'],
    [24, 'last'],
  ]);
  expect([0, 19, 20, 23].map((row) => lines.idOfRow(row))).toEqual([-18, 1, 3, 6]);
  expect([-18, 1, 3, 6].map((id) => lines.rowOfId(id))).toEqual([0, 19, 20, 23]);
});

it('the first line of a stream that was still open is hidden when the count arrives before it', () => {
  const lines = new LogLines(() => undefined);
  lines.gap(50);
  lines.output('stdout', encoder.encode('a\n'), 50, null);
  lines.locate({ row: 7, number: 7, isAfterGap: false, open: ['stderr'] });
  lines.output('stderr', encoder.encode('rest\nnew\n'), 52, null);
  expect(shown(lines)).toEqual([
    [8, 'a'],
    [9, 'new'],
  ]);
});

it('dropped lines are recorded rows above those in memory', () => {
  const lines = new LogLines(() => undefined, { lines: 2000, characters: Number.POSITIVE_INFINITY });
  lines.output('stdout', encoder.encode('x\n'.repeat(5000)), 0, null);
  expect([lines.run.hasEarlier, lines.pastRows]).toEqual([true, 0]);
  lines.locate({ row: 0, number: 0, isAfterGap: false, open: [] });
  const { pastRows, firstId, endId } = lines;
  expect(pastRows + endId - firstId).toBe(5000);
  expect(lines.at(firstId)).toMatchObject({ number: pastRows + 1 });
  lines.clear();
  expect(lines.pastRows).toBe(0);
});

it('a filter covers only the lines in memory while recorded lines precede them, until these are cleared', () => {
  const lines = new LogLines(() => undefined);
  lines.gap(96);
  lines.output('stdout', encoder.encode('out\n'), 96, null);
  lines.showOnly('stderr');
  expect(lines.hidden).toEqual({ lines: 1, isAll: true });
  lines.locate({ row: 20, number: 20, isAfterGap: false, open: [] });
  expect(lines.hidden).toEqual({ lines: 1, isAll: true, isPartial: true });
  expect(lines.pastRows).toBe(0);
  lines.clear();
  expect(lines.hidden).toEqual({ lines: 0, isAll: true });
});
