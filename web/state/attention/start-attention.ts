// Attention signals in the browser: notifications, the tab, and whether the user views the page.
import type { ExecClient } from '../../../client/exec-client.ts';
import { layoutStore } from '../layout/layout-store.ts';
import { arePanesShown, pageStore } from '../page/page-store.ts';
import { isPhone } from '../page/platform.ts';
import { isOpen, requestOf } from '../approvals/approvals-store.ts';
import { isGuest } from '../page/storage.ts';
import { followRequests } from './followed-requests.ts';
import { AttentionFeed, type Seen } from './attention-feed.ts';
import { choices, turnOff } from './choices.ts';
import { followButtons, showWithButtons } from './notification-buttons.ts';
import { Notifier, type Shown } from './notifier.ts';
import { showSubject } from './show-subject.ts';
import { signTab } from './tab-sign.ts';

/**
 * Starts the signals for the lifetime of the page; returns a function that dismisses the summary of an absence.
 * While the page is in the background, `ringsUnseen` is called when the bell of a process rings, and `asksUnseen` when
 * an approval request arrives and requests are among the causes that the person chose.
 */
export function startAttention(
  client: ExecClient,
  seen: Seen | null,
  ringsUnseen: (key: string) => void,
  asksUnseen: () => void,
): () => void {
  const isVisible = (): boolean => document.visibilityState === 'visible';
  // A visible page is not being viewed while another window has the focus.
  const isAway = (): boolean => !isVisible() || !document.hasFocus();
  const notifier = new Notifier({
    isAway,
    isWanted: (cause) => {
      const { isOn, causes } = choices.getState();
      return isOn && causes.includes(cause);
    },
    isCurrent: ({ cause, key }) => cause !== 'approval' || isStillOpen(key),
    show,
  });
  const lookedAt = (): string | null =>
    isAway() || !arePanesShown(pageStore.getState(), isPhone()) ? null : layoutStore.getState().focused;
  const rings = (key: string): void => {
    if (!isVisible()) ringsUnseen(key);
  };
  followRequests((item) => {
    notifier.report(item);
    if (!isVisible() && choices.getState().causes.includes('approval')) asksUnseen();
  });
  const feed = new AttentionFeed({ client, notifier, seen, isVisible, lookedAt, rings });
  const look = (): void => {
    if (!isAway()) notifier.back();
    feed.looked();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('pagehide', () => feed.leave());
  window.addEventListener('focus', look);
  layoutStore.subscribe(look);
  pageStore.subscribe(look);
  signTab();
  // A guest in this browser must not be affected by the choices of its regular user.
  if (!isGuest) followButtons(client);
  return () => feed.dismiss();
}

function isStillOpen(id: string): boolean {
  const request = requestOf(id);
  return request !== undefined && isOpen(request);
}

function show(shown: Shown): void {
  if (showWithButtons(shown)) return;
  const { title, body, tag, key, isRequest } = shown;
  try {
    const notification = new Notification(title, { body, tag, icon: './icon-192.png' });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      showSubject({ id: key, isRequest });
    });
  } catch {
    // Some browsers have the constructor but do not allow pages to use it.
    turnOff();
  }
}
