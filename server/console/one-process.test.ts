// Tests of the activity sent to a guest of one shared process: rule SH2.
import { expect, it } from 'vitest';
import type { Identity } from '../policy/identity.ts';
import { seenChanges } from './viewers.ts';

const guest: Identity = {
  tokenId: 't',
  name: 'guest 1',
  role: 'observer',
  expiresAtMs: null,
  share: { id: 's', key: 'theirs' },
};
const onlooker = { identity: guest, label: 'c1' };
const happened = (change: number, atMs: number, key: string) =>
  ({ change, atMs, key, what: 'bell' }) as const;

it('[SH2] a guest gets the activity of its process, with numbers that do not reveal other activity', () => {
  const entries = [happened(901, 10, 'other'), happened(902, 20, 'theirs'), happened(903, 30, 'other')];
  const activity = { change: 903, entries, isComplete: false };
  const shown = seenChanges(onlooker, () => undefined);
  const change = expect.any(Number) as number;
  expect(shown({ activity })).toEqual({
    activity: { change, entries: [{ ...happened(902, 20, 'theirs'), change }], isComplete: true },
  });
  expect(shown({ activity: { ...activity, entries: entries.slice(0, 1) } })).toBeNull();
});

it('[SH2] a guest’s activity is numbered consecutively, however much else happens at the same time', () => {
  const shown = seenChanges(onlooker, () => undefined);
  const changes = [901, 905, 999].map((change) => {
    const entries = [
      happened(change, 20, 'theirs'),
      happened(change + 1, 20, 'other'),
      happened(change + 2, 20, 'theirs'),
    ];
    const { activity } = shown({ activity: { change: change + 2, entries, isComplete: true } }) ?? {};
    expect(activity?.change).toBe(activity?.entries.at(-1)?.change);
    return activity?.entries.map((entry) => entry.change) ?? [];
  });
  const [first = 0, ...others] = changes.flat();
  expect(others).toEqual(others.map((_, at) => first + 1 + at));
  expect(others).toHaveLength(5);
});
