// @vitest-environment happy-dom
// Commands access the list through its interface, never through its markup.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { listView, type ListRows } from '../state/page/list-view.ts';
import { LADDER_COMMANDS } from './ladder-commands.ts';
import { goToList, LIST_COMMANDS, walk } from './page-commands.ts';

const rows = { step: vi.fn<ListRows['step']>(), selectAll: vi.fn(), focus: vi.fn() };
const filter = vi.fn();
const run = (id: string): void => {
  const command = [...LIST_COMMANDS, ...LADDER_COMMANDS].find((each) => each.id === id);
  // These commands do not read their context.
  command?.run({} as Parameters<typeof command.run>[0]);
};

beforeEach(() => {
  vi.clearAllMocks();
  rows.step.mockReturnValue(true);
  listView.setState({ rows, filter });
});

it.each([
  ['nextRow', 'next', false],
  ['previousRow', 'previous', false],
  ['firstRow', 'first', false],
  ['lastRow', 'last', false],
  ['selectDown', 'next', true],
  ['selectUp', 'previous', true],
])('the command %s asks the list for its %s row', (id, step, isExtended) => {
  run(id);
  expect(rows.step.mock.calls).toEqual([[step, isExtended]]);
  expect(rows.focus).not.toHaveBeenCalled();
});

it('a step from outside the list only focuses the list, unless it goes to the first or last row', () => {
  rows.step.mockReturnValue(false);
  walk('next');
  expect([rows.focus.mock.calls.length, rows.step.mock.calls.length]).toEqual([1, 1]);
  walk('last');
  expect([rows.focus.mock.calls.length, rows.step.mock.calls.length]).toEqual([2, 3]);
});

it('selectAll and filter are passed to the list, and do nothing without a list', () => {
  run('selectAll');
  run('filter');
  expect([rows.selectAll.mock.calls.length, filter.mock.calls.length]).toEqual([1, 1]);
  listView.setState({ rows: null, filter: null });
  for (const id of ['selectAll', 'filter', 'nextRow', 'lastRow']) run(id);
  goToList();
  expect([rows.selectAll.mock.calls.length, rows.step.mock.calls.length]).toEqual([1, 0]);
});

it('commands dispatch no keyboard events and find no elements by class', () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  expect(sources.length).toBeGreaterThan(10);
  const faults = sources.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), 'utf8');
    const selectors = [
      ...source.matchAll(/(?:closest|matches|querySelector(?:All)?)(?:<\w+>)?\(\s*[`'"]([^\n]*)/g),
    ];
    const byClass = selectors.filter(([, selector = '']) => /(?:^|[\s,])\.(?!xterm\b)[a-z]/.test(selector));
    const made = /new KeyboardEvent|classList|className/.exec(source);
    return [...byClass.map(([text]) => `${name}: ${text}`), ...(made ? [`${name}: ${made[0]}`] : [])];
  });
  expect(faults).toEqual([]);
});
