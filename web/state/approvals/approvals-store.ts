// Agents' requests that wait for a decision, recently decided ones, pauses and policies.
import { createStore } from 'zustand/vanilla';
import type { Approval, ApprovalSettings, Pause } from '../../../protocol/approvals.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { forgetStanding, rowsMoved } from './settled.ts';

/** Minimum time for which a decided request still shows its decision and the person who made it. */
const DECIDED_SHOWN_MS = 4000;

interface ApprovalsState {
  /** Requests, oldest first; a decided one stays in place for a moment. */
  readonly requests: readonly Approval[];
  /** True once the gateway has sent its requests. */
  readonly areListed: boolean;
  /** Pauses and policies; null before the gateway has sent them, and when approvals are off. */
  readonly settings: ApprovalSettings | null;
}

export const approvalsStore = createStore<ApprovalsState>(() => ({
  requests: [],
  areListed: false,
  settings: null,
}));

export const isOpen = ({ state }: Pick<Approval, 'state'>): boolean => state === 'waiting';

export const requestOf = (id: string | null): Approval | undefined =>
  id === null ? undefined : approvalsStore.getState().requests.find((each) => each.id === id);

export const pauseOfAllAgents = (settings: ApprovalSettings | null): Pause | undefined =>
  settings?.pauses.find(({ agent }) => agent === null);

/** Follows approval requests, pauses and policies for the lifetime of the page. */
export function followApprovals({ processes }: ExecClient): void {
  processes.onChanged(({ approvals, approvalSettings, removed }) => {
    if (approvalSettings) approvalsStore.setState({ settings: approvalSettings });
    // The first change of each connection has a list of removed processes, even an empty one, and may have fewer
    // requests.
    if (approvals || removed) follow(processes.approvals(), approvals ?? []);
  });
}

function follow(waiting: readonly Approval[], reported: readonly Approval[]): void {
  const { requests: before, areListed } = approvalsStore.getState();
  const known = new Map(before.map((each) => [each.id, each]));
  const open = new Map(waiting.map((each) => [each.id, each]));
  const over = reported.filter((each) => !isOpen(each) && known.has(each.id));
  for (const each of over) forgetLater(each.id);
  const decided = new Map(before.filter((each) => !isOpen(each)).map((each) => [each.id, each]));
  for (const each of over) decided.set(each.id, each);
  for (const each of before)
    if (held.has(each.id) && !open.has(each.id) && !decided.has(each.id)) {
      decided.set(each.id, { ...each, state: 'withdrawn' });
      forgetLater(each.id);
    }
  const requests = [...open.values(), ...decided.values()].toSorted(inOrder);
  if (areListed && isSame(requests, before)) return;
  const hasGone = before.some((each) => isOpen(each) && !open.has(each.id));
  if (hasGone || waiting.some(({ id }) => !known.has(id))) rowsMoved();
  approvalsStore.setState({ requests, areListed: true });
}

/** Ids of requests that must stay in the page, and whether each is overdue for removal. */
const held = new Map<string, boolean>();

/** Keeps a request in the page even after its decision, until the returned function is called. */
export function holdDecided(id: string): () => void {
  held.set(id, false);
  return () => {
    const isLate = held.get(id) ?? false;
    held.delete(id);
    if (isLate) forget(id);
  };
}

function forgetLater(id: string): void {
  setTimeout(() => {
    if (held.has(id)) held.set(id, true);
    else forget(id);
  }, DECIDED_SHOWN_MS);
}

function forget(id: string): void {
  forgetStanding(id);
  approvalsStore.setState(({ requests }) => ({ requests: requests.filter((each) => each.id !== id) }));
}

const inOrder = (a: Approval, b: Approval): number =>
  a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const isSame = (a: readonly Approval[], b: readonly Approval[]): boolean =>
  a.length === b.length && a.every((each, at) => each === b[at]);
