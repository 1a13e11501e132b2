// The title and icon of the browser's tab: the number of processes that need attention, and a dot.
import { approvalsStore, isOpen } from '../approvals/approvals-store.ts';
import { clearedProcesses, isCleared } from '../processes/cleared-processes.ts';
import { neededCounts } from '../processes/process-counts.ts';
import { processStore } from '../processes/process-store.ts';
import { seenStore } from '../processes/seen.ts';

const NAME = 'exec-console';
const ICON = './favicon.svg';
const ICON_ATTENTION = './favicon-attention.svg';

/** Updates the tab for the lifetime of the page. */
export function signTab(): void {
  let shown = 0;
  const sign = (): void => {
    const count = countNeedy();
    if (count === shown) return;
    shown = count;
    document.title = count > 0 ? `(${count}) ${NAME}` : NAME;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count > 0 ? ICON_ATTENTION : ICON;
    // Badge on the icon of an installed page; not every browser has it, or lets a page use it.
    navigator.setAppBadge?.(count).catch(() => undefined);
  };
  processStore.subscribe((state, before) => {
    if (state.processes !== before.processes) sign();
  });
  seenStore.subscribe(sign);
  clearedProcesses.subscribe(sign);
  approvalsStore.subscribe(sign);
}

/** Counts as the list does; a bell alone does not need attention. */
function countNeedy(): number {
  const cleared = clearedProcesses.getState();
  const listed = Object.values(processStore.getState().processes).filter((info) => !isCleared(info, cleared));
  const { waiting, notified, failed } = neededCounts(listed, seenStore.getState());
  // Waiting starts are rows already.
  const { requests } = approvalsStore.getState();
  const others = requests.filter((request) => isOpen(request) && request.kind !== 'start').length;
  return waiting + notified + failed + others;
}
