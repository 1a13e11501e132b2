// Notifications of approval requests: each request is reported once, when it arrives.
import type { Approval } from '../../../protocol/approvals.ts';
import { visible } from '../../../text/visible.ts';
import { approvalsStore, isOpen } from '../approvals/approvals-store.ts';
import { askedText, requestName } from '../approvals/request-words.ts';
import type { AttentionItem } from './cause.ts';
import { cutTo } from '../../../text/cut.ts';

/** Maximum length of the request in a notification, in characters. */
const TEXT_CHARS = 160;

/** Calls `report` for each waiting request that is new to the page, for the lifetime of the page. */
export function followRequests(report: (item: AttentionItem) => void): void {
  approvalsStore.subscribe(({ requests }, { requests: before }) => {
    if (requests === before) return;
    const known = new Set(before.map(({ id }) => id));
    for (const request of requests)
      if (isOpen(request) && !known.has(request.id)) report(attentionItemOf(request));
  });
}

const attentionItemOf = (request: Approval): AttentionItem => ({
  key: request.id,
  cause: 'approval',
  name: `${visible(request.startedBy)} ${askedText(request)}`,
  text: cutTo(requestName(request), TEXT_CHARS),
  atMs: request.createdAtMs,
});
