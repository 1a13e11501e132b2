// What needs a person stands first, and nothing changes its place while somebody reads.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { FAILED, processInfo, SUCCEEDED, TERMINATED } from '../testing/process-info.ts';
import { inHeldOrder, inOrder } from './process-order.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, ...given });
const keys = (processes: readonly ProcessInfo[], seen: readonly string[] = []): string[] =>
  inOrder(processes, new Set(seen)).map(({ key }) => key);

describe('inOrder', () => {
  it('puts what needs a person before what runs, and that before what is over; the newest first', () => {
    const processes = [
      process('done', { ...SUCCEEDED, startedAtMs: 9 }),
      process('old', { startedAtMs: 1 }),
      process('failed', { ...FAILED, startedAtMs: 2 }),
      process('new', { startedAtMs: 5 }),
      process('waits', { waitsForInput: true, startedAtMs: 3 }),
    ];
    expect(keys(processes)).toEqual(['waits', 'failed', 'new', 'old', 'done']);
  });
  it('counts as over a failure that was seen, or that somebody wanted', () => {
    const processes = [process('seen', FAILED), process('ended', TERMINATED), process('runs')];
    expect(keys(processes, ['seen'])).toEqual(['runs', 'seen', 'ended']);
  });
  it('lets no crowd of failures push down what runs', () => {
    const crowd = Array.from({ length: 50 }, (_, i) => process(`f${i}`, { ...FAILED, exitedAtMs: i }));
    const order = keys([...crowd, process('runs')]);
    expect(order.indexOf('runs')).toBe(5);
    expect(order.slice(0, 5)).toContain('f49');
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
  ])('of %s, now %s, is %s', (before, now, order) => expect(held(before, now)).toBe(order));
});
