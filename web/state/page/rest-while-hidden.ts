// Stops following terminals while the page is hidden, except those that the page controls, since they must answer
// queries.
import type { ExecClient } from '../../../client/exec-client.ts';

/** Delay after the page is hidden, so that a brief look at another tab has no effect. */
const REST_AFTER_MS = 1000;

/** Calls `processes.rest(true)` when the page is hidden, and `rest(false)` when it is visible. Never unsubscribes. */
export function restWhileHidden({ processes }: Pick<ExecClient, 'processes'>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') processes.rest(false);
    else timer = setTimeout(() => processes.rest(true), REST_AFTER_MS);
  };
  document.addEventListener('visibilitychange', look);
  look();
}
