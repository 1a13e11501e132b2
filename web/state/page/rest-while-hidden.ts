// A page in the background stops following terminals that it does not control; the controlled ones must answer
// queries. It catches up when visible again.
import type { ExecClient } from '../../../client/exec-client.ts';

/** Delay after the page is hidden, so that a brief look at another tab has no effect. */
const REST_AFTER_MS = 1000;

/** Rests `processes` while the page is hidden; they catch up when it becomes visible again. Never unsubscribes. */
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
