// A person who is not viewing the page is notified of the chosen causes, at a limited rate.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cause, AttentionItem } from './cause.ts';
import { Notifier, summary, type Shown } from './notifier.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const item = (key: string, cause: Cause = 'failed'): AttentionItem => ({
  key,
  cause,
  name: `name ${key}`,
  text: cause,
  atMs: 1,
});

function notifier(isAway = (): boolean => true, isCurrent: (item: AttentionItem) => boolean = () => true) {
  const shown: Shown[] = [];
  const made = new Notifier({
    isAway,
    isWanted: (cause) => cause !== 'bell',
    isCurrent,
    show: (each) => shown.push(each),
  });
  return { made, shown };
}

describe('Notifier', () => {
  it('shows no items that are out of date when they would be shown', () => {
    const decided = new Set<string>();
    const { made, shown } = notifier(undefined, ({ key }) => !decided.has(key));
    for (const key of ['a', 'b', 'c', 'd']) made.report(item(key, 'approval'));
    for (const key of ['a', 'b', 'c']) decided.add(key);
    vi.advanceTimersByTime(1000);
    expect(shown.map(({ key }) => key)).toEqual(['d']);
  });

  it('shows the latest event of each process in a separate notification', () => {
    const { made, shown } = notifier();
    made.report(item('a', 'waits'));
    made.report(item('b'));
    made.report(item('a', 'ended'));
    made.report(item('c', 'bell'));
    expect(shown).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([
      { title: 'name a', body: 'ended', tag: 'a', key: 'a', isRequest: false },
      { title: 'name b', body: 'failed', tag: 'b', key: 'b', isRequest: false },
    ]);
  });

  it('counts many events in one notification', () => {
    const { made, shown } = notifier();
    for (const key of 'abcd') made.report(item(key, key === 'd' ? 'waits' : 'failed'));
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([
      {
        title: '3 failed, 1 waiting for input',
        body: 'name a, name b, name c, name d',
        tag: 'many',
        key: null,
        isRequest: false,
      },
    ]);
  });

  it('waits before it shows more notifications, and then shows them all', () => {
    const { made, shown } = notifier();
    made.report(item('a'));
    vi.advanceTimersByTime(1000);
    made.report(item('b'));
    vi.advanceTimersByTime(4900);
    made.report(item('c'));
    expect(shown).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(shown.map(({ tag }) => tag)).toEqual(['a', 'b', 'c']);
  });

  it('shows nothing to a person who is viewing the page, and nothing that they have already seen', () => {
    let isAway = false;
    const { made, shown } = notifier(() => isAway);
    made.report(item('a'));
    vi.advanceTimersByTime(10_000);
    isAway = true;
    made.report(item('b'));
    made.back();
    vi.advanceTimersByTime(10_000);
    expect(shown).toEqual([]);
    made.report(item('c'));
    vi.advanceTimersByTime(1000);
    expect(shown).toHaveLength(1);
  });
});

it('summary lists the most urgent cause first', () => {
  expect(summary([{ cause: 'bell' }, { cause: 'ended' }, { cause: 'waits' }, { cause: 'waits' }])).toBe(
    '2 waiting for input, 1 ended, 1 rang its bell',
  );
  expect(summary([{ cause: 'bell' }, { cause: 'bell' }])).toBe('2 rang their bells');
});
