// Tests of changes that are sent to all watchers together: rules CO9 and HS11.
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

it('[HS11] the notification of a large removal lists a thousand recordings, and all that are open', () => {
  const sent: ConsoleChanged[] = [];
  changes.watch({ isBrief: () => true, inSight: () => [], send: (change) => sent.push(change) });
  for (let at = 0; at < 100_000; at += 1)
    changes.recordingRemoved(`k${at}`, { who: 'Ada', isOpen: at === 99_999 });
  vi.advanceTimersByTime(LIMITS.changedSoonMs);
  changes.recordingRemoved('later', { who: 'gateway', isOpen: false });
  vi.advanceTimersByTime(LIMITS.changedSoonMs);
  const [many, one] = sent.map(({ recordingsRemoved }) => recordingsRemoved);
  expect(sent).toHaveLength(2);
  expect(many?.recordings).toHaveLength(1001);
  expect(many?.recordings.at(-1)).toEqual({ key: 'k99999', who: 'Ada' });
  expect(many?.isComplete).toBe(false);
  expect(one).toEqual({ recordings: [{ key: 'later', who: 'gateway' }], isComplete: true });
});
