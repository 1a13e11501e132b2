// Notifications with buttons: a service worker shows them if the person wants it, and passes button presses to this
// page.
import { createStore } from 'zustand/vanilla';
import { mayAct } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';
import type { NotificationAction, NotificationAnswer, NotificationData } from '../../worker/messages.ts';
import { approvalsStore, isOpen, requestOf } from '../approvals/approvals-store.ts';
import { processStore } from '../processes/process-store.ts';
import { chooseButtons, choices } from './choices.ts';
import type { Shown } from './notifier.ts';
import { act, parsePress } from './pressed-button.ts';
import { offerOf, shownText } from './request-offer.ts';
import { registerWorker, unregisterWorkers, whyNoButtons } from './worker-registration.ts';

interface Worker {
  /** Registration whose worker comes from the gateway; null when there is none. */
  readonly registration: ServiceWorkerRegistration | null;
  /** Reason why the last registration failed. */
  readonly problem: string | null;
}

export const buttonsWorker = createStore<Worker>(() => ({ registration: null, problem: null }));

interface Button {
  readonly action: NotificationAction;
  readonly title: string;
}

const APPROVE: Button = { action: 'approve', title: 'Approve once' };
const DECLINE: Button = { action: 'decline', title: 'Decline' };
const SHOW: Button = { action: 'show', title: 'Show' };

/** Follows the choice and handles button presses for the lifetime of the page. */
export function followButtons(client: ExecClient): void {
  let isWanted: boolean | null = null;
  let work = Promise.resolve();
  const follow = (): void => {
    const { isOn, hasButtons } = choices.getState();
    // The connection proves that the gateway, and not another program, answers at this address.
    const isWantedNow = isOn && hasButtons && whyNoButtons() === null;
    if (isWantedNow === isWanted || client.connection.state.kind !== 'online') return;
    isWanted = isWantedNow;
    work = work.then(isWantedNow ? turnOn : turnOff);
  };
  choices.subscribe(follow);
  client.connection.onState(follow);
  approvalsStore.subscribe(({ requests }, { requests: before }) => {
    if (requests !== before) void closeDecided();
  });
  if (whyNoButtons() === null)
    navigator.serviceWorker.addEventListener('message', (event) => listen(client, event));
}

async function turnOn(): Promise<void> {
  try {
    buttonsWorker.setState({ registration: await registerWorker(), problem: null });
  } catch (error) {
    buttonsWorker.setState({ registration: null, problem: errorText(error) });
    chooseButtons(false);
  }
}

async function turnOff(): Promise<void> {
  buttonsWorker.setState({ registration: null });
  await unregisterWorkers().catch((error: unknown) => buttonsWorker.setState({ problem: errorText(error) }));
}

/** Handles one press per port from the registered worker; messages from other workers and pages are ignored. */
function listen(client: ExecClient, { source, data, ports: [port] }: MessageEvent<unknown>): void {
  const { registration } = buttonsWorker.getState();
  const { kind } = (data ?? {}) as { readonly kind?: unknown };
  const isOwn = registration !== null && source !== null && source === registration.active;
  if (!isOwn || kind !== 'exec-console/notification' || !port) return;
  const answer = (text: NotificationAnswer): void => port.postMessage(text);
  port.addEventListener(
    'message',
    (message: MessageEvent<unknown>) => {
      const press = parsePress(message.data);
      if (press) void act(client, press).then(answer);
    },
    { once: true },
  );
  port.start();
  answer('here');
}

/**
 * Shows a notification with buttons; returns false when there is no worker for it. The argument is the same
 * as for a plain notification.
 */
export function showWithButtons({ title, body, tag, key, isRequest }: Shown): boolean {
  const { registration } = buttonsWorker.getState();
  if (!registration) return false;
  const request = isRequest ? requestOf(key) : undefined;
  const offer = request && offerOf(request);
  if (request && !isOpen(request)) return true;
  const data: NotificationData = {
    id: key,
    isRequest,
    shown: request && offer ? shownText(request, offer) : '',
    shownAtMs: Date.now(),
  };
  const actions =
    !offer || !mayAct(processStore.getState().connection) ? [] : [offer.mayApprove ? APPROVE : SHOW, DECLINE];
  const options = { body: offer?.body ?? body, tag, icon: './icon-192.png', data, actions };
  registration.showNotification(offer?.title ?? title, options).catch((error: unknown) => {
    buttonsWorker.setState({ problem: errorText(error) });
  });
  return true;
}

/** Closes the notifications of requests that are no longer waiting. */
async function closeDecided(): Promise<void> {
  const { registration } = buttonsWorker.getState();
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notification of shown) {
    const { id, isRequest } = notification.data as NotificationData;
    if (!isRequest || id === null) continue;
    const request = requestOf(id);
    if (!request || !isOpen(request)) notification.close();
  }
}
