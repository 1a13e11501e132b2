// Searching a log: exact counts, newest to oldest, even while lines are added and dropped.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stream } from '../../../protocol/process.ts';
import { loadExpressions } from '../../state/processes/line-matcher.ts';
import type { PaneMatches } from '../../state/processes/searchable.ts';
import { LogLines } from './log-lines.ts';
import { LogSearch, type LineMatch } from './log-search.ts';

class Searched {
  readonly lines: LogLines;
  readonly search: LogSearch;
  matches: PaneMatches | null = null;
  revealed: LineMatch | null = null;
  #offset = 0;
  #isDue = false;

  constructor(text = '', limits = { lines: 100_000, characters: 1e9 }) {
    this.lines = new LogLines(() => undefined, limits);
    this.search = new LogSearch({
      lines: this.lines,
      changed: (matches) => (this.matches = matches),
      reveal: (match) => (this.revealed = match),
      askPast: () => Promise.reject(new Error('offline')),
      revealPast: () => undefined,
      redraw: () => (this.#isDue = true),
    });
    this.print(text);
  }

  print(text: string, stream: Stream = 'stdout'): void {
    const bytes = new TextEncoder().encode(text);
    this.lines.output(stream, bytes, this.#offset, null);
    this.#offset += bytes.length;
    this.settle();
  }

  find(text: string, options: { isRegex?: boolean; isCaseSensitive?: boolean } = {}): void {
    this.search.find({ text, isRegex: false, isCaseSensitive: false, ...options }, 'up', true);
    this.settle();
  }

  go(direction: 'up' | 'down'): void {
    this.search.find({ text: '', isRegex: false, isCaseSensitive: false }, direction);
  }

  /** Runs frames until the search is finished. */
  settle(): void {
    do {
      this.#isDue = false;
      this.search.step();
    } while (this.#isDue);
  }
}

beforeAll(loadExpressions);

describe('A search', () => {
  it('begins with the newest match, and wraps around', () => {
    const log = new Searched('error 1\nfine\nError 2 error\n');
    log.find('error');
    expect(log.matches).toEqual({ index: 2, count: 3, hasMore: false, hidden: 0 });
    expect(log.revealed).toEqual({ id: 2, start: 8, end: 13 });
    log.go('up');
    expect(log.matches?.index).toBe(1);
    log.go('down');
    log.go('down');
    expect(log.matches?.index).toBe(0);
    log.go('up');
    expect(log.matches?.index).toBe(2);
    expect(log.search.marksIn(2)).toEqual([
      { start: 0, end: 5, isPresent: false },
      { start: 8, end: 13, isPresent: true },
    ]);
  });

  it('supports case sensitivity and regular expressions, and otherwise matches text literally', () => {
    const log = new Searched('Error 1\nerror 2\nerror [12]\n');
    log.find('error', { isCaseSensitive: true });
    expect(log.matches?.count).toBe(2);
    log.find('error [12]');
    expect(log.matches?.count).toBe(1);
    log.find('error [12]$', { isRegex: true });
    expect(log.matches?.count).toBe(2);
    log.find('(', { isRegex: true });
    expect(log.matches).toEqual({ index: -1, count: 0, hasMore: false, hidden: 0 });
    log.find('x*', { isRegex: true });
    expect(log.matches?.count).toBe(0);
  });

  it('counts matches in new lines, and searches an unfinished line again', () => {
    const log = new Searched('one\n');
    log.find('one');
    log.print('on');
    expect(log.matches?.count).toBe(1);
    log.print('e\rtwo\none one\n');
    expect(log.matches).toEqual({ index: 0, count: 3, hasMore: false, hidden: 0 });
    log.print('none');
    log.print('\n');
    expect(log.matches?.count).toBe(4);
  });

  it('forgets matches in dropped lines', () => {
    const log = new Searched('', { lines: 10, characters: 1e9 });
    log.find('line');
    log.print('line\n'.repeat(3000));
    expect(log.matches?.count).toBe(log.lines.endId - log.lines.firstId);
  });

  it('counts ten thousand matches, and reports that there are more', () => {
    const log = new Searched('x\n'.repeat(12_000));
    log.find('x');
    expect(log.matches).toMatchObject({ count: 10_000, hasMore: true, hidden: 0 });
    log.print('x\n'.repeat(5000));
    expect(log.matches).toMatchObject({ count: 10_000, hasMore: true, hidden: 0 });
  });
});

it('A search reports that evicted lines were not searched, except those that a person has cleared', () => {
  const log = new Searched('', { lines: 2, characters: 1e9 });
  log.print('hit\n'.repeat(2000));
  log.find('none');
  expect(log.matches).toMatchObject({ count: 0, hasUnsearched: true });
  log.search.clear();
  expect(log.matches?.hasUnsearched).toBeUndefined();
  const cleared = new Searched('hit\n');
  cleared.lines.clear();
  cleared.print('hit\n');
  cleared.find('hit');
  expect(cleared.matches).toMatchObject({ count: 1, hasUnsearched: undefined });
});

describe('A search in a log that shows only stderr', () => {
  const filtered = (): Searched => {
    const log = new Searched('hit 1\nhit 2\n');
    log.print('hit of stderr\n', 'stderr');
    log.print('hit 3');
    log.lines.showOnly('stderr');
    log.find('hit');
    return log;
  };

  it('counts the matches that the filter hides, and those in an unfinished line once', () => {
    const log = filtered();
    expect(log.matches).toEqual({ index: 0, count: 1, hasMore: false, hidden: 3 });
    log.print(' and a hit\nhit 4\n');
    expect(log.matches).toEqual({ index: 0, count: 1, hasMore: false, hidden: 5 });
  });

  it('forgets hidden matches with their lines', () => {
    const log = new Searched('', { lines: 2, characters: 1e9 });
    log.lines.showOnly('stderr');
    log.print('hit\n'.repeat(10));
    log.find('hit');
    expect(log.matches?.hidden).toBe(10);
    log.print('none\n'.repeat(2000));
    expect(log.matches?.hidden).toBe(0);
  });

  it('finds hidden matches when all lines are shown again', () => {
    const log = filtered();
    log.lines.showOnly(null);
    log.search.again();
    log.settle();
    expect(log.matches).toEqual({ index: 3, count: 4, hasMore: false, hidden: 0 });
  });
});
