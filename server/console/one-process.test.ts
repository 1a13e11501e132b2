// What whoever was shown one process is told of what happens: rule SH2.
import { expect, it } from 'vitest';
import type { Identity } from '../auth/identity.ts';
import { shownChange } from './one-process.ts';

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

it('[SH2] tells what happens to it, and by no number how much else does', () => {
  const entries = [happened(901, 10, 'other'), happened(902, 20, 'theirs'), happened(903, 30, 'other')];
  const activity = { change: 903, entries, isComplete: false };
  expect(shownChange({ activity }, onlooker)).toEqual({
    activity: { change: 20, entries: [happened(20, 20, 'theirs')], isComplete: true },
  });
  expect(shownChange({ activity: { ...activity, entries: entries.slice(0, 1) } }, onlooker)).toBeNull();
});
