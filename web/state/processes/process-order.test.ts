// Processes that need attention come first, and nothing moves while a person reads.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { FAILED, processInfo, SUCCEEDED, TERMINATED } from '../../../protocol/testing/process-info.ts';
import { inHeldOrder, inOrder, LEADING_FAILURES } from './process-order.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, ...given });
const seenOf = (ids: readonly string[] = [], untilMs = -1) => ({ ids: new Set(ids), untilMs });
const keys = (processes: readonly ProcessInfo[], seen: readonly string[] = []): string[] =>
  inOrder(processes, seenOf(seen)).processes.map(({ key }) => key);

describe('inOrder', () => {
  it('puts processes that need attention first, then running ones, then finished ones; newest first', () => {
    const processes = [
      process('done', { ...SUCCEEDED, startedAtMs: 9 }),
      process('old', { startedAtMs: 1 }),
      process('failed', { ...FAILED, startedAtMs: 2 }),
      process('new', { startedAtMs: 5 }),
      process('waits', { waitsForInput: true, startedAtMs: 3 }),
    ];
    expect(keys(processes)).toEqual(['waits', 'failed', 'new', 'old', 'done']);
  });
  it('counts a failure as finished if it was seen or caused by a person', () => {
    const processes = [process('seen', FAILED), process('ended', TERMINATED), process('runs')];
    expect(keys(processes, ['seen'])).toEqual(['runs', 'seen', 'ended']);
  });
  it('limits how many failures are above running processes', () => {
    const crowd = Array.from({ length: 50 }, (_, i) => process(`f${i}`, { ...FAILED, exitedAtMs: i }));
    const { processes, needing, moreFailed } = inOrder([...crowd, process('runs')], seenOf());
    expect([needing, moreFailed.size]).toEqual([LEADING_FAILURES, 50 - LEADING_FAILURES]);
    expect(processes[0]?.key).toBe('f49');
    expect(processes[LEADING_FAILURES]?.key).toBe('runs');
  });
  it('leads with waiting processes, then those that notified, then failures, until each has been seen', () => {
    const notification = { text: 'approve?', atMs: 7 };
    const all = [
      process('runs', { startedAtMs: 9 }),
      process('failed', { ...FAILED, startedAtMs: 8, exitedAtMs: 8 }),
      process('notified', { notification, startedAtMs: 1 }),
      process('waits', { waitsForInput: true }),
    ];
    expect(keys(all)).toEqual(['waits', 'notified', 'failed', 'runs']);
    expect(keys(all, ['failed', 'notified 7'])).toEqual(['waits', 'runs', 'notified', 'failed']);
    const upTo = (untilMs: number) => inOrder(all, seenOf([], untilMs)).needing;
    expect([upTo(6), upTo(7), upTo(8)]).toEqual([3, 2, 1]);
  });
  it('leads with a failure only when it is the last process of its thread', () => {
    const inThread = (key: string, startedAtMs: number, more: Partial<ProcessInfo>, session = 's1') =>
      process(key, { metadata: { threadId: 't' }, startedAtMs, session, ...more });
    const { processes, needing, moreFailed } = inOrder(
      [
        inThread('retried', 1, FAILED),
        inThread('gone on', 2, {}),
        inThread('last', 3, FAILED, 's2'),
        process('without a thread', { ...FAILED, startedAtMs: 1 }),
      ],
      seenOf(),
    );
    expect(processes.slice(0, needing).map(({ key }) => key)).toEqual(['last', 'without a thread']);
    expect([...moreFailed]).toEqual(['retried']);
  });
  it('leads with the newest failure of each agent, however many another agent has', () => {
    const crowd = Array.from({ length: 50 }, (_, i) => process(`f${i}`, { ...FAILED, exitedAtMs: 10 + i }));
    const crash = process('crash', { ...FAILED, session: 's3', exitedAtMs: 1 });
    expect(keys([...crowd, crash]).slice(0, LEADING_FAILURES)).toContain('crash');
  });
  it('sorts finished processes by their end, latest first', () => {
    const [first, second] = [
      { ...SUCCEEDED, startedAtMs: 1, exitedAtMs: 9 },
      { ...SUCCEEDED, startedAtMs: 2, exitedAtMs: 3 },
    ];
    expect(keys([process('short', second), process('long', first)])).toEqual(['long', 'short']);
  });
});

describe('inHeldOrder', () => {
  const held = (before: string, now: string): string =>
    inHeldOrder(before.split(''), now.split(''), (each) => each).join('');
  it.each([
    ['abc', 'cba', 'abc'],
    ['abc', 'xcbya', 'yabxc'],
    ['abc', 'ac', 'ac'],
    ['abc', 'abcx', 'abcx'],
    ['', 'ab', 'ab'],
  ])('returns for %s, which is now %s: %s', (before, now, order) => expect(held(before, now)).toBe(order));
});
