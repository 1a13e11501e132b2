// A request opened by a notification, a link or a key: that request, and no other.
import { beforeEach, expect, it } from 'vitest';
import type { ExecClient } from '../../../client/exec-client.ts';
import type { ConsoleChanged } from '../../../protocol/console.ts';
import { approvalOf } from '../../testing/page-approvals.ts';
import { pageStore } from '../page/page-store.ts';
import { approvalsStore, followApprovals } from './approvals-store.ts';
import { goToComing } from './request-link.ts';
import { goToRequest, requestView } from './request-view.ts';

const DECIDED = approvalOf(1, { state: 'accepted' });
const OPEN = approvalOf(2);

beforeEach(() => {
  approvalsStore.setState({ requests: [DECIDED, OPEN], areListed: true });
  pageStore.setState({ problem: null });
  requestView.setState({ focus: null });
});

/** Returns the id of the focused request, and the problem shown. */
const seen = (): readonly [string | undefined, string | null] => [
  requestView.getState().focus?.id,
  pageStore.getState().problem,
];

it.each([
  ['a-2', 'a-2', null],
  ['a-1', 'a-1', null],
  [null, 'a-2', null],
  ['a-9', undefined, 'This request is no longer waiting.'],
])('[AU29] goToRequest of %s focuses %s and shows the problem %s', (id, focused, problem) => {
  goToRequest(id);
  expect(seen()).toEqual([focused, problem]);
});

it.each([
  ['a-2', 'a-2', null],
  ['a-9', undefined, 'This request is no longer waiting.'],
])('[AU29] a link to %s focuses %s, once the gateway has sent its requests', (id, focused, problem) => {
  approvalsStore.setState({ requests: [], areListed: false });
  const listeners: ((change: ConsoleChanged) => void)[] = [];
  const processes = {
    onChanged: (listener: (change: ConsoleChanged) => void) => listeners.push(listener),
    approvals: () => (id === 'a-2' ? [OPEN] : []),
  };
  followApprovals({ processes } as unknown as ExecClient);
  goToComing(id);
  expect(seen()).toEqual([undefined, null]);
  for (const listener of listeners) listener({ removed: { keys: [], sessions: [] } });
  expect(seen()).toEqual([focused, problem]);
});
