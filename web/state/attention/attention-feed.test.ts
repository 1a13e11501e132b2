// Tests the summary of an absence: it covers all activity of that time, or reports that some is missing.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ActivitySince } from '../../../protocol/activity.ts';
import type { ConsoleChanged } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { AttentionFeed, seenBefore } from './attention-feed.ts';
import { attentionStore } from './attention-store.ts';
import { Notifier } from './notifier.ts';

vi.useFakeTimers();

const HOUR_MS = 3_600_000;
const ended = (key: string): ActivitySince['entries'][number] => ({
  change: 1,
  atMs: Date.now(),
  key,
  what: 'exited',
  text: '',
});

afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => attentionStore.setState({ absence: null, lastHereMs: null }));

/** Returns a feed of a page that was last viewed an hour ago, whose connection is online. */
function follow() {
  let change: (changed: ConsoleChanged) => void = () => undefined;
  let isVisible = true;
  const client = {
    connection: { state: { kind: 'online' }, onState: () => undefined },
    processes: {
      onChanged: (listener: typeof change) => void (change = listener),
      get: (key: string) => processInfo({ key, state: 'closed', exitCode: 1 }),
    },
  } as unknown as ExecClient;
  const feed = new AttentionFeed({
    client,
    notifier: new Notifier({
      isAway: () => false,
      isWanted: () => false,
      isCurrent: () => true,
      show: () => undefined,
    }),
    seen: { change: 5, atMs: Date.now() - HOUR_MS },
    isVisible: () => isVisible,
    lookedAt: () => null,
    rings: () => undefined,
  });
  return {
    feed,
    reports: (entries: ActivitySince['entries'], isComplete = true): void =>
      change({ activity: { change: 9, entries, isComplete } }),
    show: (shown: boolean): void => {
      isVisible = shown;
      feed.looked();
    },
  };
}

it('a look before the activity has arrived does not end the absence', () => {
  const { feed, reports } = follow();
  feed.looked();
  reports([ended('a')]);
  expect(attentionStore.getState().absence).toMatchObject({ failed: 1, isComplete: true });
});

it('an absence with more activity than is retained is incomplete', () => {
  const { reports, show } = follow();
  reports([]);
  show(false);
  reports([ended('a')]);
  reports(Array.from({ length: 10_000 }, () => ended('b')));
  vi.advanceTimersByTime(HOUR_MS);
  show(true);
  expect(attentionStore.getState().absence).toMatchObject({ isComplete: false });
});

it('an unread summary stays incomplete when another absence is added to it, until it is dismissed', () => {
  const { feed, reports, show } = follow();
  reports([ended('a')], false);
  const leaveFor = (key: string): void => {
    show(false);
    reports([ended(key)]);
    vi.advanceTimersByTime(HOUR_MS);
    show(true);
  };
  leaveFor('b');
  expect(attentionStore.getState().absence).toMatchObject({ failed: 2, isComplete: false });
  feed.dismiss();
  leaveFor('c');
  expect(attentionStore.getState().absence).toMatchObject({ failed: 1, isComplete: true });
});

it('an absence begins when the page is hidden or closed, however long ago the last activity was', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  });
  const { feed, reports, show } = follow();
  reports([]);
  vi.advanceTimersByTime(3 * HOUR_MS);
  show(false);
  expect(seenBefore()).toEqual({ change: 9, atMs: Date.now() });
  vi.advanceTimersByTime(HOUR_MS);
  show(true);
  vi.advanceTimersByTime(HOUR_MS);
  feed.leave();
  expect(seenBefore()).toEqual({ change: 9, atMs: Date.now() });
});
