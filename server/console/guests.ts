// Restricts what guests may request, and which objects they get; `viewers.ts` removes the members that they may not
// see.
import type { Identity } from '../policy/identity.ts';
import type { ActivitySince } from '../../protocol/activity.ts';
import type { ConsoleChanged, RecordingsRemoved, WatchResult } from '../../protocol/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { METHODS } from '../../protocol/records.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { CHANGES_PER_MS } from './activity-log.ts';
import { isRequestId } from './approval-row.ts';
import { unknownKey, type Directory } from './directory.ts';

/** Returns the key of the only process that this identity may access; null when it may access all. */
export const onlyKeyOf = ({ share }: Identity): string | null => share?.key ?? null;

/** Returns the params, limited to what a guest may use; throws when a guest is not allowed to send the request. */
export function paramsFor(
  identity: Identity,
  method: RequestMethod,
  params: unknown,
  directory: Pick<Directory, 'get'>,
): unknown {
  if (!identity.share) return params;
  const onlyKey = onlyKeyOf(identity);
  const { guest } = METHODS[method];
  if (guest === null) throw new RpcError(ErrorCode.forbidden, `a share does not allow ${method}`);
  if (guest === 'key') {
    const { key } = params as { key: string };
    if (onlyKey === null ? !directory.get(key) : key !== onlyKey) throw unknownKey(key);
    return params;
  }
  if (onlyKey === null || guest === 'nothing') return params;
  const { keys } = params as { keys?: readonly string[] };
  return { ...(params as object), keys: (keys ?? [onlyKey]).filter((key) => key === onlyKey) };
}

/** Identity and connection of a watcher. */
export interface Onlooker {
  readonly identity: Identity;
  readonly label: string;
}

const NOTHING_YET: ActivitySince = { change: 0, entries: [], isComplete: true };

/** Returns the part of a result that this watcher may see; a guest of one process gets no earlier activity. */
export function ownResult(all: WatchResult, { identity, label }: Onlooker): WatchResult {
  const onlyKey = onlyKeyOf(identity);
  if (onlyKey === null) return identity.share ? withoutRequests(all) : all;
  return {
    gateway: all.gateway,
    people: all.people.filter(({ connection }) => connection === label),
    activity: NOTHING_YET,
    sessions: [],
    processes: all.processes.filter(({ key }) => key === onlyKey),
  };
}

/**
 * Returns a function to call with successive changes; it returns the visible part of each, or null when
 * nothing is visible.
 */
export function ownChanges({ identity }: Onlooker): (change: ConsoleChanged) => ConsoleChanged | null {
  const onlyKey = onlyKeyOf(identity);
  if (onlyKey === null) return identity.share ? changeWithoutRequests : (change) => change;
  const nextChange = changeNumbers();
  return ({ processes = [], printed = [], activity, removed, recordingsRemoved }) => {
    const isTheirs = ({ key }: { readonly key: string }): boolean => key === onlyKey;
    const own = {
      processes: processes.filter(isTheirs),
      printed: printed.filter(isTheirs),
      entries: (activity?.entries ?? [])
        .filter(isTheirs)
        .map((entry) => ({ ...entry, change: nextChange() })),
    };
    const change: ConsoleChanged = {
      ...(own.processes.length > 0 && { processes: own.processes }),
      ...(own.printed.length > 0 && { printed: own.printed }),
      ...(own.entries.length > 0 && {
        activity: { change: own.entries.at(-1)?.change ?? 0, entries: own.entries, isComplete: true },
      }),
      ...(removed?.keys.includes(onlyKey) && { removed: { keys: [onlyKey], sessions: [] } }),
      ...ownRemovals(recordingsRemoved, [onlyKey]),
    };
    return Object.keys(change).length > 0 ? change : null;
  };
}

/** Returns the removals of these recordings; a guest is not informed of others, not even that there are any. */
function ownRemovals(
  all: RecordingsRemoved | undefined,
  keys: readonly string[],
): Pick<ConsoleChanged, 'recordingsRemoved'> {
  const own = new Set(keys);
  const recordings = all?.recordings.filter(({ key }) => own.has(key)) ?? [];
  return recordings.length > 0 ? { recordingsRemoved: { recordings, isComplete: true } } : {};
}

type Shown = Pick<ConsoleChanged, 'processes' | 'approvals' | 'approvalSettings'>;

/** Removes approval requests, the rows of those that wait, and the approval settings. */
function withoutRequests<T extends Shown>(shown: T): Omit<T, 'approvals' | 'approvalSettings'> {
  const { approvals: _, approvalSettings: __, ...rest } = shown;
  const processes = shown.processes?.filter(({ state }) => state !== 'waiting-for-approval');
  return { ...rest, ...(processes && { processes }) };
}

const NOTHING: NonNullable<ConsoleChanged['removed']> = { keys: [], sessions: [] };

function changeWithoutRequests(change: ConsoleChanged): ConsoleChanged | null {
  const { processes = [], removed = NOTHING, recordingsRemoved, ...rest } = withoutRequests(change);
  const keys = removed.keys.filter((key) => !isRequestId(key));
  const own = {
    ...rest,
    ...(processes.length > 0 && { processes }),
    ...(keys.length + removed.sessions.length > 0 && { removed: { ...removed, keys } }),
    // The key of a process that only the history has is unknown to these guests.
    ...ownRemovals(recordingsRemoved, keys),
  };
  return Object.keys(own).length > 0 ? own : null;
}

/**
 * Returns a counter of change numbers for one guest, since global ones would reveal how much else is happening. It
 * begins at the current time, so that a guest who reconnects gets no number twice.
 */
function changeNumbers(): () => number {
  let change = Date.now() * CHANGES_PER_MS;
  return () => (change += 1);
}
