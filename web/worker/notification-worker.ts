// Notification service worker: passes a press to an open page, or opens one. It decides nothing, has no credential,
// and controls no page, since its scope contains none.
import type {
  NotificationAction,
  NotificationAnswer,
  NotificationAsk,
  NotificationData,
  NotificationPress,
} from './messages.ts';

/** Time for a page to reply that it can act; a page frozen by the browser does not reply. */
const HERE_MS = 1000;
/** Timeout for a page to perform the action: one request to the gateway. */
const ACT_MS = 5000;

export interface WindowPage {
  readonly url: string;
  postMessage(message: NotificationAsk, ports: MessagePort[]): void;
  focus(): Promise<unknown>;
}

export interface NotificationClick {
  /** Name of the button; empty for the notification itself. */
  readonly action: string;
  readonly notification: { readonly data: unknown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

/** Part of a service worker's global object that is used here. */
export interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowPage[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'notificationclick', listener: (event: NotificationClick) => void): void;
}

export function passPresses(scope: WorkerScope): void {
  scope.addEventListener('notificationclick', (event) => {
    event.waitUntil(pass(scope, event));
  });
}

async function pass(
  { registration, clients }: WorkerScope,
  { action, notification }: NotificationClick,
): Promise<void> {
  // The scope is a subfolder of the page's folder.
  const base = new URL('../', registration.scope).href;
  const data = notification.data as NotificationData;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const found = await firstHere(windows.filter(({ url }) => url.startsWith(base)));
  if (!found) {
    notification.close();
    await clients.openWindow(data.isRequest ? `${base}#request=${encodeURIComponent(data.id ?? '')}` : base);
    return;
  }
  const { page, port } = found;
  const press: NotificationPress = { action: actionOf(action), data, pressedAtMs: Date.now() };
  port.postMessage(press);
  const answer = await answerOn(port, ACT_MS);
  port.close();
  if (answer === 'ignored') return;
  notification.close();
  if (answer !== 'done') await page.focus();
}

const actionOf = (name: string): NotificationAction =>
  name === 'approve' || name === 'decline' ? name : 'show';

/** A page that can act, and the port to it. */
interface Here {
  readonly page: WindowPage;
  readonly port: MessagePort;
}

/** Resolves to the page that replies first; null when none does in time. */
async function firstHere(pages: readonly WindowPage[]): Promise<Here | null> {
  const asked = pages.map((page) => {
    const { port1: port, port2 } = new MessageChannel();
    page.postMessage({ kind: 'exec-console/notification' }, [port2]);
    return { page, port };
  });
  const here = asked.map(async (each) => {
    if ((await answerOn(each.port, HERE_MS)) !== 'here') throw new Error('the page did not reply');
    return each;
  });
  const found = await Promise.any(here).catch(() => null);
  for (const { port } of asked) if (port !== found?.port) port.close();
  return found;
}

/** Resolves to the next message on the port; null when there is none in time. */
function answerOn(port: MessagePort, withinMs: number): Promise<NotificationAnswer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), withinMs);
    const take = ({ data }: MessageEvent<NotificationAnswer>): void => {
      clearTimeout(timer);
      resolve(data);
    };
    port.addEventListener('message', take, { once: true });
    port.start();
  });
}
