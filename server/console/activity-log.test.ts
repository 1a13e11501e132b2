// Tests of the activity for people who were away: numbered, bounded, with a limit per process: rule CO9.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActivityLog } from './activity-log.ts';

const LIMITS = { activities: 4, attentionBurst: 2, attentionMs: 1000 };

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

const what = ({ entries }: ReturnType<ActivityLog['since']>): string[] =>
  entries.map((entry) => `${entry.key} ${entry.what}${entry.text === undefined ? '' : ` ${entry.text}`}`);

describe('ActivityLog', () => {
  it('[CO9] returns the entries after a change, each once, and reports the number of each', () => {
    const added: number[] = [];
    const log = new ActivityLog(LIMITS, (change) => added.push(change));
    const before = log.change;
    log.add('a', 'started');
    const between = log.change;
    log.addAttention('a', 'done');
    log.addAttention('a', null);
    expect(added).toEqual([before + 1, before + 2, before + 3]);
    expect(what(log.since(before))).toEqual(['a started', 'a notification done', 'a bell']);
    expect(what(log.since(between))).toEqual(['a notification done', 'a bell']);
    expect(log.since(log.change)).toEqual({ change: before + 3, entries: [], isComplete: true });
  });

  it('[CO9] retains a limited number of entries, and reports when there were more', () => {
    const log = new ActivityLog(LIMITS, () => {});
    const before = log.change;
    for (const key of 'abcd') log.add(key, 'started');
    expect(log.since(before).isComplete).toBe(true);
    for (const key of 'efghijkl') {
      log.add(key, 'started');
      const since = log.since(before);
      expect(since.isComplete).toBe(false);
      expect(since.entries).toHaveLength(4);
      expect(since.entries.at(-1)?.change).toBe(log.change);
    }
    expect(log.since(log.change - 4).isComplete).toBe(true);
    expect(what(log.since(log.change - 2))).toEqual(['k started', 'l started']);
  });

  it('[CO9] does not accept the number of an earlier gateway as its own', () => {
    const earlier = new ActivityLog(LIMITS, () => {});
    earlier.add('a', 'started');
    vi.advanceTimersByTime(1);
    const later = new ActivityLog(LIMITS, () => {});
    later.add('b', 'started');
    expect(later.since(earlier.change)).toMatchObject({ isComplete: false, entries: [{ key: 'b' }] });
    expect(earlier.since(later.change)).toMatchObject({ isComplete: false });
  });

  it('[CO9] limits the rate of a process that rings repeatedly, without delaying others', () => {
    const log = new ActivityLog(LIMITS, () => {});
    const before = log.change;
    for (let count = 0; count < 10; count += 1) log.addAttention('loud', null);
    log.addAttention('calm', 'once');
    expect(what(log.since(before))).toEqual(['loud bell', 'loud bell', 'calm notification once']);
    vi.advanceTimersByTime(999);
    log.addAttention('loud', null);
    expect(log.since(before).entries).toHaveLength(3);
    vi.advanceTimersByTime(1);
    log.addAttention('loud', null);
    log.addAttention('loud', null);
    expect(log.since(before).entries).toHaveLength(4);
    vi.advanceTimersByTime(60_000);
    const quiet = log.change;
    for (let count = 0; count < 10; count += 1) log.addAttention('loud', null);
    expect(log.since(quiet).entries).toHaveLength(2);
  });
});
