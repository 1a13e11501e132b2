// Failures and notifications that were viewed in this browser and no longer need attention.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { ofThisGateway, onStoredByOthers, readStored, writeStored } from '../page/storage.ts';
import { endedAtMs, statusOf } from '../../../text/process-words.ts';

export interface Seen {
  readonly ids: ReadonlySet<string>;
  /** Time up to which everything counts as seen, on the gateway's clock in ms since the epoch. */
  readonly untilMs: number;
}

/** Maximum number of remembered ids; beyond it, the oldest are dropped. */
const REMEMBERED = 500;
const STORED = ofThisGateway('exec-console.seen');

export const seenStore = createStore<Seen>(() => readStored(STORED, parseSeen));

seenStore.subscribe(({ ids, untilMs }) => writeStored(STORED, { ids: [...ids], untilMs }));
onStoredByOthers(STORED, () => seenStore.setState(readStored(STORED, parseSeen)));

export const isUnseenFailure = (info: ProcessInfo, seen: Seen): boolean =>
  statusOf(info) === 'failed' && endedAtMs(info) > seen.untilMs && !seen.ids.has(info.key);

/** True when the process has an unseen notification (OSC 9, OSC 777). */
export const hasUnseenNotification = ({ key, notification }: ProcessInfo, seen: Seen): boolean =>
  notification !== null &&
  notification.atMs > seen.untilMs &&
  !seen.ids.has(notificationId(key, notification.atMs));

/** Marks these processes as seen in their current state. */
export function markSeen(infos: readonly ProcessInfo[]): void {
  const { ids } = seenStore.getState();
  const now = infos.flatMap((info) => [
    ...(statusOf(info) === 'failed' ? [info.key] : []),
    ...(info.notification ? [notificationId(info.key, info.notification.atMs)] : []),
  ]);
  const added = now.filter((id) => !ids.has(id));
  if (added.length > 0) seenStore.setState({ ids: new Set([...ids, ...added].slice(-REMEMBERED)) });
}

/** Marks any number of processes as seen: everything up to their latest failure or notification. */
export function markAllSeen(infos: readonly ProcessInfo[]): void {
  const times = infos.flatMap((info) => [
    ...(statusOf(info) === 'failed' ? [endedAtMs(info)] : []),
    ...(info.notification ? [info.notification.atMs] : []),
  ]);
  const untilMs = times.reduce((latest, each) => Math.max(latest, each), seenStore.getState().untilMs);
  seenStore.setState({ untilMs });
}

const notificationId = (key: string, atMs: number): string => `${key} ${atMs}`;

function parseSeen(stored: unknown): Seen {
  const { ids, untilMs } = (stored ?? {}) as { readonly [member in keyof Seen]?: unknown };
  const known = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  const moment = typeof untilMs === 'number' && Number.isFinite(untilMs) ? untilMs : 0;
  return { ids: new Set(known.slice(-REMEMBERED)), untilMs: moment };
}
