// Link to an approval request, `#request=ID`, opened by a notification when no page responds.
import { approvalsStore } from './approvals-store.ts';
import { goToRequest } from './request-view.ts';

/** Returns the id of the request; null for any other fragment. */
export const parseRequestLink = (hash: string): string | null =>
  new URLSearchParams(hash.slice(1)).get('request');

/** Goes to the request once the gateway has sent its requests, or reports that it is no longer waiting. */
export function goToComing(id: string): void {
  if (approvalsStore.getState().areListed) return goToRequest(id);
  const stop = approvalsStore.subscribe(({ areListed }) => {
    if (!areListed) return;
    stop();
    goToRequest(id);
  });
}
