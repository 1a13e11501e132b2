// A page in the background follows no terminals except those it controls, which must answer queries; it catches up when
// it is visible.
import type { ExecClient } from '../../../client/exec-client.ts';

/** Delay, since a short look into another tab is no absence. */
const REST_AFTER_MS = 1000;

/** Rests while hidden, for the lifetime of the page. */
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
