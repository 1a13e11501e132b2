// Page state of processes, sessions and the connection; of the output, it contains only last lines.
import { createStore } from 'zustand/vanilla';
import type { Person } from '../../../protocol/activity.ts';
import type { ConsoleChanged, ProcessInfo } from '../../../protocol/console.ts';
import type { GatewayHealth } from '../../../protocol/health.ts';
import type { ConnectionState, SilentConnection } from '../../../client/connection-state.ts';
import type { ExecClient, Share } from '../../../client/exec-client.ts';
import { isReadOnly } from './people.ts';
import type { KnownSession } from './process-groups.ts';
import { isHeld, isLive } from '../../../text/process-words.ts';
import type { TerminalState } from './terminal-state.ts';

export type ShownConnection = ConnectionState | SilentConnection;

interface ProcessState {
  readonly connection: ShownConnection;
  /**
   * Time at which the page went offline or the gateway stopped responding, in ms since the epoch; null while
   * the page is online or has never been online.
   */
  readonly offlineSinceMs: number | null;
  /**
   * Time at which the page, in the background, stopped receiving output updates, in ms since the epoch; null while it
   * receives them.
   */
  readonly uninformedSinceMs: number | null;
  /** True when this page is read-only; while offline, the last known value. */
  readonly isReadOnly: boolean;
  /** Share through which the page was opened, or null; while offline, the last known value. */
  readonly share: Share | null;
  /** People who watch the console, including this page's user. */
  readonly people: readonly Person[];
  readonly gateway: GatewayHealth;
  readonly processes: { readonly [key: string]: ProcessInfo };
  readonly sessions: { readonly [label: string]: KnownSession };
  /** States of the open terminals by key. */
  readonly terminals: { readonly [key: string]: TerminalState };
  /**
   * Keys of processes that the gateway no longer retains but that a terminal here still shows → who removed the
   * recording; null when it may still exist.
   */
  readonly forgotten: ReadonlyMap<string, string | null>;
  /** True once the list has arrived. */
  readonly isListed: boolean;
}

export const processStore = createStore<ProcessState>(() => ({
  connection: { kind: 'idle' },
  offlineSinceMs: null,
  uninformedSinceMs: null,
  isReadOnly: false,
  share: null,
  people: [],
  gateway: { status: 'ok', reasons: [] },
  processes: {},
  sessions: {},
  terminals: {},
  forgotten: new Map(),
  isListed: false,
}));

/** Keeps the store in sync with the client. */
export function followClient(client: ExecClient): void {
  client.connection.onState(connectionChanged);
  watchSilenceInSight(client);
  client.processes.onChanged((change) =>
    processStore.setState((state) => ({ ...applied(state, change), isListed: true })),
  );
}

function connectionChanged(connection: ShownConnection): void {
  processStore.setState((before) => ({
    connection,
    offlineSinceMs: offlineSinceMs(before, connection),
    isReadOnly: isReadOnly(connection, before.isReadOnly),
    share: connection.kind === 'online' ? (connection.share ?? null) : before.share,
  }));
}

/** Checks for an unresponsive gateway while the page is visible; runs for the lifetime of the page. */
function watchSilenceInSight({ connection }: ExecClient): void {
  let stop: (() => void) | null = null;
  const follow = (): void => {
    stop?.();
    stop = null;
    if (document.visibilityState === 'hidden') return;
    stop = connection.watchSilence((sinceMs) => {
      const { state } = connection;
      if (state.kind !== 'online') return;
      connectionChanged(sinceMs === null ? state : { ...state, kind: 'silent', sinceMs });
    });
  };
  follow();
  document.addEventListener('visibilitychange', follow);
}

export function setInformed(isInformed: boolean): void {
  processStore.setState(({ uninformedSinceMs: before }) => ({
    uninformedSinceMs: isInformed ? null : (before ?? Date.now()),
  }));
}

/** True when this page shows only a single process. */
export const isShownOne = ({ share }: Pick<ProcessState, 'share'>): boolean =>
  share !== null && share.key !== null;

export function setTerminalState(key: string, terminal: TerminalState): void {
  processStore.setState(({ terminals }) => ({ terminals: { ...terminals, [key]: terminal } }));
}

/** Removes the state of a terminal that no pane shows any more, and its process if the gateway no longer retains it. */
export function forgetTerminalState(key: string): void {
  processStore.setState((state) => {
    const terminals = { ...state.terminals };
    delete terminals[key];
    if (!state.forgotten.has(key)) return { terminals };
    const processes = { ...state.processes };
    delete processes[key];
    return {
      terminals,
      processes,
      forgotten: new Map([...state.forgotten].filter(([each]) => each !== key)),
    };
  });
}

/** True for a process whose output can no longer be requested, since its recording was removed. */
export const isRemoved = ({ forgotten }: Pick<ProcessState, 'forgotten'>, key: string): boolean =>
  (forgotten.get(key) ?? null) !== null;

function offlineSinceMs(before: ProcessState, connection: ShownConnection): number | null {
  if (connection.kind === 'online') return null;
  if (connection.kind === 'silent') return connection.sinceMs;
  return before.connection.kind === 'online' ? Date.now() : before.offlineSinceMs;
}

/** Values for a process that the gateway no longer lists: no watchers, no controller, not restartable. */
const UNKNOWN = { watchers: 0, watchedBy: [], controller: null, restartable: false } as const;

function applied(before: ProcessState, change: ConsoleChanged) {
  const { gateway, people, processes, sessions, terminals } = before;
  const nextProcesses = { ...processes };
  const nextSessions = { ...sessions };
  const forgotten = new Map(before.forgotten);
  const removers = new Map(change.recordingsRemoved?.recordings.map(({ key, who }) => [key, who]));
  for (const info of change.processes ?? []) {
    nextProcesses[info.key] = info;
    // A process that was evicted is listed again once it is opened from history.
    forgotten.delete(info.key);
  }
  for (const info of change.sessions ?? []) nextSessions[info.label] = { ...info, isOver: false };
  for (const key of change.removed?.keys ?? []) {
    const info = nextProcesses[key];
    // A process that is live here is missing only if the gateway was replaced, or if the process ended and
    // was evicted: the outcome is unknown.
    if (info && isLive(info) && !isHeld(info)) {
      nextProcesses[key] = { ...info, ...UNKNOWN, state: 'lost' };
    } else if (info && (info.state !== 'lost' || removers.has(key)) && terminals[key]) {
      nextProcesses[key] = { ...info, ...UNKNOWN };
      forgotten.set(key, removers.get(key) ?? null);
    } else if (info?.state !== 'lost' || removers.has(key)) delete nextProcesses[key];
  }
  const over = change.removed?.sessions ?? [];
  for (const label of over) {
    const session = nextSessions[label];
    if (session) nextSessions[label] = { ...session, isOver: true };
  }
  if (change.removed) {
    // Sessions that are over remain only while a process refers to them.
    const named = new Set(Object.values(nextProcesses).map(({ session }) => session));
    for (const { label, isOver } of Object.values(nextSessions)) {
      if (isOver && !named.has(label)) delete nextSessions[label];
    }
  }
  return {
    gateway: change.gateway ?? gateway,
    people: change.people ?? people,
    processes: nextProcesses,
    forgotten,
    sessions: nextSessions,
  };
}
