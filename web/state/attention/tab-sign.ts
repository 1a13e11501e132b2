// Title and icon of the browser tab: the number of processes and requests that need attention; the icon has a dot
// while there are any.
import { approvalsStore, isOpen } from '../approvals/approvals-store.ts';
import { clearedProcesses, isCleared } from '../processes/cleared-processes.ts';
import { neededCounts } from '../processes/process-counts.ts';
import { processStore } from '../processes/process-store.ts';
import { seenStore } from '../processes/seen.ts';
import { numberText } from '../../../text/amounts.ts';

const NAME = 'exec-console';
const ICON = './favicon.svg';
const ICON_ATTENTION = './favicon-attention.svg';

/** Keeps the tab up to date for the lifetime of the page. */
export function signTab(): void {
  let shown = 0;
  const sign = (): void => {
    const count = countNeedy();
    if (count === shown) return;
    shown = count;
    document.title = count > 0 ? `(${numberText(count)}) ${NAME}` : NAME;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count > 0 ? ICON_ATTENTION : ICON;
    // Badge on the icon of an installed page; some browsers lack it or disallow it.
    navigator.setAppBadge?.(count).catch(() => undefined);
  };
  processStore.subscribe((state, before) => {
    if (state.processes !== before.processes) sign();
  });
  seenStore.subscribe(sign);
  clearedProcesses.subscribe(sign);
  approvalsStore.subscribe(sign);
}

/**
 * Returns the number of processes and requests that need attention, as in the list; a bell alone does not count.
 */
function countNeedy(): number {
  const cleared = clearedProcesses.getState();
  const listed = Object.values(processStore.getState().processes).filter((info) => !isCleared(info, cleared));
  const { waiting, notified, failed } = neededCounts(listed, seenStore.getState());
  // Starts that wait for approval are already counted, as waiting processes.
  const { requests } = approvalsStore.getState();
  const others = requests.filter((request) => isOpen(request) && request.kind !== 'start').length;
  return waiting + notified + failed + others;
}
