// The subject of a notification, shown in the page: a request for approval, or the pane of a process.
import type { NotificationData } from '../../worker/messages.ts';
import { goToRequest } from '../approvals/request-view.ts';
import { openPane } from '../layout/layout-store.ts';
import { showPanes } from '../page/page-store.ts';

/** Shows it, or the first request of several; nothing of several processes. */
export function showSubject({ id, isRequest }: Pick<NotificationData, 'id' | 'isRequest'>): void {
  if (isRequest) return goToRequest(id);
  if (id === null) return;
  openPane(id);
  showPanes();
}
