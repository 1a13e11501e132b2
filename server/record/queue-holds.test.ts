// Tests of pausing processes that print faster than the disk accepts.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueueHolds } from './queue-holds.ts';

const LIMITS = { recordHoldBytes: 100, recordResumeBytes: 50, recordHoldMs: 5000 };

let holds: QueueHolds;
const held = new Set<string>();
const queued = (bytes: number, key: string): void =>
  holds.queued(bytes, key, () => {
    held.add(key);
    return () => held.delete(key);
  });

beforeEach(() => {
  vi.useFakeTimers();
  held.clear();
  holds = new QueueHolds(LIMITS);
});
afterEach(() => {
  holds.release();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('QueueHolds', () => {
  it('pauses a process that prints beyond the limit, until few bytes are queued', () => {
    queued(100, 'a');
    expect([...held]).toEqual([]);
    queued(101, 'a');
    queued(102, 'b');
    expect([...held]).toEqual(['a', 'b']);
    holds.written(51);
    expect([...held]).toEqual(['a', 'b']);
    holds.written(50);
    expect([...held]).toEqual([]);
  });

  it('pauses no process for longer than the limit while no write completes', () => {
    queued(101, 'a');
    vi.advanceTimersByTime(4000);
    holds.written(80);
    vi.advanceTimersByTime(4999);
    expect([...held]).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect([...held]).toEqual([]);
    queued(130, 'a');
    expect([...held]).toEqual([]);
    holds.written(120);
    queued(130, 'a');
    expect([...held]).toEqual(['a']);
  });

  it('resumes a single process that has ended', () => {
    queued(101, 'a');
    queued(101, 'b');
    holds.forget('a');
    expect([...held]).toEqual(['b']);
  });
});
