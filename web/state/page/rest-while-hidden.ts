// A page that nobody sees follows no terminals but those it controls, which must answer; it catches up when it is seen.
import type { ExecClient } from '../../../client/exec-client.ts';

/** Who looks into another tab for a moment has not gone. */
const REST_AFTER_MS = 1000;

/** As long as the page. */
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
