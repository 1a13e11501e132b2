// Seen processes stay seen until something new happens, even beyond those remembered individually.
import { beforeEach, expect, it, vi } from 'vitest';
import { FAILED, processInfo } from '../../../protocol/testing/process-info.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => stored.set(name, text),
  removeItem: (name: string) => stored.delete(name),
});
const window = new EventTarget();
vi.stubGlobal('window', window);
beforeEach(() => {
  vi.resetModules();
});

const failed = processInfo({ key: 'f', ...FAILED, exitedAtMs: 5 });
const notified = processInfo({ key: 'n', notification: { text: 'approve?', atMs: 7 } });

it('seen failures and notifications survive a reload, and a later notification is unseen', async () => {
  const first = await import('./seen.ts');
  expect(first.isUnseenFailure(failed, first.seenStore.getState())).toBe(true);
  first.markSeen([failed, notified]);
  vi.resetModules();
  const { seenStore, isUnseenFailure, hasUnseenNotification } = await import('./seen.ts');
  const seen = seenStore.getState();
  expect(isUnseenFailure(failed, seen)).toBe(false);
  expect(hasUnseenNotification(notified, seen)).toBe(false);
  const later = { ...notified, notification: { text: 'approve?', atMs: 8 } };
  expect(hasUnseenNotification(later, seen)).toBe(true);
});

it('markAllSeen marks any number of processes at once', async () => {
  stored.clear();
  const { seenStore, isUnseenFailure, markAllSeen } = await import('./seen.ts');
  const many = Array.from({ length: 2000 }, (_, i) => ({ ...failed, key: `f${i}`, exitedAtMs: i + 1 }));
  markAllSeen(many);
  const seen = seenStore.getState();
  expect(many.filter((info) => isUnseenFailure(info, seen))).toEqual([]);
  expect(isUnseenFailure({ ...failed, exitedAtMs: 2001 }, seen)).toBe(true);
});

it('a failure that another page has marked as seen stays seen', async () => {
  stored.clear();
  const { seenStore, isUnseenFailure, markSeen } = await import('./seen.ts');
  stored.set('exec-console.seen', JSON.stringify({ ids: ['f'], untilMs: 0 }));
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'exec-console.seen' }));
  expect(isUnseenFailure(failed, seenStore.getState())).toBe(false);
  markSeen([{ ...failed, key: 'g' }]);
  expect(JSON.parse(stored.get('exec-console.seen') ?? '')).toEqual({ ids: ['f', 'g'], untilMs: 0 });
});
