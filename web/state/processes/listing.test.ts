// Processes that need attention come first, running ones precede finished ones, and nothing moves while a person
// reads.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { FAILED, processInfo, SUCCEEDED } from '../../../protocol/testing/process-info.ts';
import { listItems } from './list-items.ts';
import { listingOf, OPEN_FINISHED, type Listing } from './listing.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, ...given });
const many = (name: string, count: number, given: Partial<ProcessInfo> = {}): ProcessInfo[] =>
  Array.from({ length: count }, (_, i) => process(`${name}${i}`, { ...given, exitedAtMs: count - i }));
const inThread = (threadId: string, more: Partial<ProcessInfo> = {}) => ({ metadata: { threadId }, ...more });
const NOTHING_SEEN = { ids: new Set<string>(), untilMs: -1 };
const listed = (
  processes: readonly ProcessInfo[],
  held?: Listing,
  { isFiltered = false, isMoreOpen = false, hasCard = false } = {},
): Listing =>
  listingOf(
    { processes, agents: new Map(), homes: new Map(), seen: NOTHING_SEEN, isMoreOpen, isFiltered, hasCard },
    held,
  );
/** Returns the rows from the top: keys for processes, and kinds for all other rows. */
const rows = (listing: Listing, turned: readonly string[] = []): string[] =>
  listItems(listing, turned).map((item) => (item.kind === 'process' ? item.key : `${item.kind}:`));

describe('listingOf', () => {
  it('puts processes of all agents that need attention above everything else, whenever they started', () => {
    const processes = [
      process('newer', { session: 'A', waitsForInput: true, startedAtMs: 9 }),
      ...many('done', 20, { session: 'A', ...SUCCEEDED }),
      process('older', { session: 'B', waitsForInput: true, startedAtMs: 1 }),
      process('broken', { session: 'C', ...FAILED }),
      process('runs', { session: 'C' }),
    ];
    const listing = listed(processes);
    expect(rows(listing).slice(0, 6)).toEqual(['needing:', 'newer', 'older', 'broken', 'group:', 'runs']);
    expect(listing.needing).toMatchObject({ waiting: 2, failed: 1, moreFailed: 0 });
  });

  it('folds all failures while a card above the list names them, and counts none of them as more', () => {
    const processes = [process('waits', { waitsForInput: true }), ...many('f', 9, FAILED), process('runs')];
    const listing = listed(processes, undefined, { hasCard: true });
    expect(rows(listing).slice(0, 5)).toEqual(['needing:', 'waits', 'moreFailed:', 'group:', 'runs']);
    const fold = (each: Listing) => listItems(each, []).find(({ kind }) => kind === 'moreFailed');
    expect(fold(listing)).toMatchObject({ count: 9, isAll: true });
    expect(fold(listed(processes))).toMatchObject({ count: 6, isAll: false });
  });

  it('does not lift a thread with a failure above running processes', () => {
    const running = Array.from({ length: 45 }, (_, i) => process(`r${i}`, inThread(`t${i % 3}`)));
    const order = rows(listed([...many('f', 1500, SUCCEEDED), process('broken', FAILED), ...running]));
    const lastRunning = order.findLastIndex((row) => row.startsWith('r'));
    expect(order.indexOf('broken')).toBe(1);
    expect(order.indexOf('f0')).toBeGreaterThan(lastRunning);
    expect(order.filter((row) => row.startsWith('f'))).toHaveLength(OPEN_FINISHED);
    expect(order.at(-1)).toBe('older:');
  });

  it('folds older processes until they are unfolded or the list is filtered', () => {
    const done = many('d', 8, SUCCEEDED);
    expect(rows(listed(done))).toEqual(['group:', 'd0', 'd1', 'd2', 'd3', 'd4', 'older:']);
    expect(rows(listed(done), ['older s1 ']).slice(6)).toEqual(['older:', 'd5', 'd6', 'd7']);
    expect(rows(listed(done, undefined, { isFiltered: true }))).toEqual([
      'group:',
      ...done.map(({ key }) => key),
    ]);
  });

  it('folds the failures beyond the leading ones into one row, and shows them there when it is unfolded', () => {
    const failed = many('f', 9, { ...FAILED, session: 'A' });
    const folded = listed(failed);
    expect(rows(folded).slice(0, 6)).toEqual(['needing:', 'f0', 'f1', 'f2', 'moreFailed:', 'group:']);
    expect(folded.needing).toMatchObject({ failed: 9, moreFailed: 6 });
    const open = listed(failed, undefined, { isMoreOpen: true });
    const order = 'needing: f0 f1 f2 moreFailed: f3 f4 f5 f6 f7 f8 group:';
    expect(rows(open, ['more failed']).join(' ')).toBe(order);
    expect(open.needing).toMatchObject({ failed: 9, moreFailed: 6 });
  });

  it('puts one heading per thread above its running, finished and folded processes', () => {
    const listing = listed([
      process('a', inThread('t', { startedAtMs: 9 })),
      process('b', inThread('u', { startedAtMs: 8 })),
      ...many('t', 4, inThread('t', { ...SUCCEEDED, startedAtMs: 3 })),
      ...many('u', 4, inThread('u', { ...SUCCEEDED, startedAtMs: 2 })),
      process('old', inThread('v', { ...SUCCEEDED, startedAtMs: 1, exitedAtMs: 0 })),
    ]);
    const order = rows(listing, ['older s1 t', 'older s1 u', 'older s1']);
    expect(order.filter((row) => row === 'thread:')).toHaveLength(3);
    expect(order).toHaveLength(1 + 3 + 11 + order.filter((row) => row === 'older:').length);
  });

  it('lists processes without a thread outside the headings of threads', () => {
    const loose = process('loose', { startedAtMs: 5 });
    const inT = (startedAtMs: number) => process('t', inThread('t', { startedAtMs }));
    const over = process('over', { ...SUCCEEDED, startedAtMs: 1 });
    expect(rows(listed([loose, over]))).toEqual(['group:', 'loose', 'over']);
    expect(rows(listed([inT(1), loose].toReversed()))).toEqual(['group:', 'loose', 'thread:', 't']);
    const below = listItems(listed([inT(9), loose, over]), []);
    expect(rows(listed([inT(9), loose, over]))).toEqual([
      'group:',
      'thread:',
      't',
      'thread:',
      'loose',
      'over',
    ]);
    expect(below[3]).toMatchObject({ thread: null, keys: ['loose', 'over'] });
    expect(below.map(({ level }) => level)).toEqual([1, 2, 3, 2, 3, 3]);
  });

  it('keeps the processes of a thread together under one heading', () => {
    const listing = listed([
      process('a', inThread('t')),
      process('b', inThread('t', { waitsForInput: true })),
      process('c', inThread('t', SUCCEEDED)),
    ]);
    expect(rows(listing)).toEqual(['needing:', 'b', 'group:', 'thread:', 'a', 'c']);
    expect(listing.groups[0]?.threads).toEqual([{ thread: 't', parent: null, keys: ['a', 'c', 'b'] }]);
  });

  it('counts only failures that are not leading as more, even while the list is held', () => {
    const before = listed([...many('f', 3, FAILED), process('a'), process('b')]);
    const now = [
      ...[9, 8, 7].map((exitedAtMs) => process(`g${exitedAtMs}`, { ...FAILED, exitedAtMs })),
      ...many('f', 3, FAILED),
      process('a', { ...FAILED, exitedAtMs: 0 }),
      process('b'),
    ];
    const held = listed(now, before);
    const above = rows(held).slice(1, rows(held).indexOf('moreFailed:'));
    expect(above.toSorted()).toEqual(['f0', 'f1', 'f2', 'g7', 'g8', 'g9']);
    expect(held.needing).toMatchObject({ failed: 7, moreFailed: 1 });
    expect(listed(now).needing).toMatchObject({ failed: 7, moreFailed: 4 });
  });

  it('leaves every row in place while it is held, whatever starts and ends', () => {
    const before = listed([
      process('b', inThread('t1', { startedAtMs: 8 })),
      process('a', inThread('t1', { startedAtMs: 7 })),
      process('c', inThread('t2', { startedAtMs: 4 })),
      process('d', { session: 's2', startedAtMs: 1 }),
    ]);
    const now = [
      process('e', { session: 's2', startedAtMs: 9, ...FAILED }),
      process('d', { session: 's2', waitsForInput: true }),
      process('f', inThread('t2', { startedAtMs: 5 })),
      process('c', inThread('t2', { startedAtMs: 4 })),
      process('b', inThread('t1', { startedAtMs: 8, ...FAILED })),
      process('a', inThread('t1', { startedAtMs: 7 })),
    ];
    const wanted = ['group:', 'thread:', 'b', 'a', 'thread:', 'f', 'c', 'group:', 'd'];
    expect(rows(before)).toEqual(wanted.filter((row) => row !== 'f'));
    expect(rows(listed(now, before))).toEqual(['needing:', 'e', 'moreFailed:', ...wanted]);
    expect(listed(now, before).groups[0]?.failed).toBe(1);
    expect(rows(listed(now)).slice(0, 4)).toEqual(['needing:', 'd', 'e', 'b']);
  });
});
