// Tests of changes that are sent to all watchers together: rule CO9.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConsoleChanged } from '../../protocol/console.ts';
import { ActivityLog } from './activity-log.ts';
import { Changes } from './changes.ts';

const LIMITS = {
  activities: 10,
  attentionBurst: 5,
  attentionMs: 1000,
  changedSoonMs: 100,
  changedLaterMs: 1000,
  printedAtOnce: 10,
};
const unused = (): never => {
  throw new Error('nothing of that has changed');
};

let activity: ActivityLog;
let changes: Changes<{ key: string }, { label: string }>;
beforeEach(() => {
  vi.useFakeTimers();
  activity = new ActivityLog(LIMITS, (change) => changes.activityAdded(change));
  changes = new Changes(LIMITS, {
    describeProcess: unused,
    describePrinted: unused,
    describeSession: unused,
    describeGateway: unused,
    describePeople: unused,
    describeApprovalSettings: () => null,
    activitySince: (change) => activity.since(change),
  });
});
afterEach(() => {
  changes.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Adds a watcher; returns the activity that is sent to it. */
function watch(): string[] {
  const sent: string[] = [];
  const take = (change: ConsoleChanged): void => {
    sent.push(...(change.activity?.entries ?? []).map(({ what }) => what));
  };
  changes.watch({ isBrief: () => true, inSight: () => [], send: take });
  return sent;
}

it('[CO9] a new watcher is not sent activity that it already has', () => {
  const first = watch();
  activity.add('p', 'started');
  const second = watch();
  activity.add('p', 'exited');
  vi.advanceTimersByTime(LIMITS.changedSoonMs);
  expect(first).toEqual(['started', 'exited']);
  expect(second).toEqual(['exited']);
});
