// The table of all processes can be sorted by any column.
import { describe, expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { directionOf, homeOrder, sortedBy, type HomeColumn } from './home-order.ts';
import type { Used } from './usage-feed.ts';

const used = (cpu: number | null, memoryBytes: number): Used => ({
  samples: [{ cpu, memoryBytes }],
  processes: 1,
  ports: [],
});
const PROCESSES = [
  processInfo({ key: 'b', argv: ['b2'], cwd: '/x', startedAtMs: 300, lastOutputAtMs: 900, startedBy: 'zoe' }),
  processInfo({
    key: 'a',
    argv: ['b10'],
    cwd: '/a',
    startedAtMs: 100,
    lastOutputAtMs: null,
    startedBy: 'ann',
  }),
  processInfo({ key: 'c', argv: ['a'], cwd: '/x', startedAtMs: 200, lastOutputAtMs: 950, startedBy: 'ann' }),
];
const USED = new Map([
  ['b', used(0.5, 10)],
  ['a', used(2, 5)],
]);
const order = (by: HomeColumn, isReversed = false): string =>
  homeOrder(
    PROCESSES,
    { by, isReversed },
    { usedOf: (key) => USED.get(key), agentOf: ({ startedBy }) => startedBy, nowMs: 1000 },
  )
    .map(({ key }) => key)
    .join('');

describe('the table of processes', () => {
  it.each([
    ['status', 'bac', 'cab'],
    ['command', 'cba', 'abc'],
    ['agent', 'acb', 'bac'],
    ['folder', 'abc', 'bca'],
    ['age', 'acb', 'bca'],
  ] as const)('sorts by %s as %s, and reversed as %s', (by, order1, order2) => {
    expect([order(by), order(by, true)]).toEqual([order1, order2]);
  });
  it.each([
    ['cpu', 'abc', 'bac'],
    ['memory', 'bac', 'abc'],
    ['line', 'cba', 'bca'],
  ] as const)('sorts by %s as %s, reversed as %s, with an unknown value last', (by, order1, order2) => {
    expect([order(by), order(by, true)]).toEqual([order1, order2]);
  });
  it('reverses a column on the second click, and starts over with another column', () => {
    const first = sortedBy('cpu', { by: 'status', isReversed: false });
    const second = sortedBy('cpu', first);
    expect([first, second].map(directionOf)).toEqual(['descending', 'ascending']);
    expect(sortedBy('folder', second)).toEqual({ by: 'folder', isReversed: false });
    expect(directionOf({ by: 'folder', isReversed: false })).toBe('ascending');
  });
});
