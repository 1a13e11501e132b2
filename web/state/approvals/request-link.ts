// Link to an approval request, `#request=ID`, opened by a notification when no page is open.
import { approvalsStore } from './approvals-store.ts';
import { goToRequest } from './request-view.ts';

/** Returns the id of the request; null for any other fragment. */
export const parseRequestLink = (hash: string): string | null =>
  new URLSearchParams(hash.slice(1)).get('request');

/** Goes to the request once the gateway has sent it; does nothing for one that is no longer waiting. */
export function goToComing(id: string): void {
  const isHere = (): boolean => approvalsStore.getState().requests.some((each) => each.id === id);
  if (isHere()) return goToRequest(id);
  const stop = approvalsStore.subscribe(() => {
    if (!isHere()) return;
    stop();
    goToRequest(id);
  });
}
