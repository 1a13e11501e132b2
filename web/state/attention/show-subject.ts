// Opens the subject of a notification in the page: an approval request or the pane of a process.
import type { NotificationData } from '../../worker/messages.ts';
import { goToRequest } from '../approvals/request-view.ts';
import { openPane } from '../layout/layout-store.ts';
import { showPanes } from '../page/page-store.ts';

/** Shows the process or request; for several requests the first one, and for several processes none. */
export function showSubject({ id, isRequest }: Pick<NotificationData, 'id' | 'isRequest'>): void {
  if (isRequest) return goToRequest(id);
  if (id === null) return;
  openPane(id);
  showPanes();
}
