// Notifications with buttons: a service worker shows them if the person wants it, and passes button presses to this
// page.
import { createStore } from 'zustand/vanilla';
import { mayAct, type ConnectionState } from '../../../client/connection-state.ts';
import type { Connection, ExecClient } from '../../../client/exec-client.ts';
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
  /**
   * Registration that shows notifications; null until its worker has been compared with the gateway's script
   * on this connection.
   */
  readonly registration: ServiceWorkerRegistration | null;
  /**
   * Worker that runs the gateway's script. Another program may replace the registration's worker, but not
   * this reference.
   */
  readonly worker: ServiceWorker | null;
  /** Reason why registering, unregistering or showing a notification failed; null after a successful registration. */
  readonly problem: string | null;
}

export const buttonsWorker = createStore<Worker>(() => ({
  registration: null,
  worker: null,
  problem: null,
}));

interface Button {
  readonly action: NotificationAction;
  readonly title: string;
}

const APPROVE: Button = { action: 'approve', title: 'Approve once' };
const DECLINE: Button = { action: 'decline', title: 'Decline' };
const SHOW: Button = { action: 'show', title: 'Show' };

/**
 * Registers or unregisters the worker as chosen, and handles button presses, for the lifetime of the page.
 */
export function followButtons(client: ExecClient): void {
  let isWanted: boolean | null = null;
  let comparedOn: ConnectionState | null = null;
  let work = Promise.resolve();
  const { connection } = client;
  const follow = (): void => {
    const { isOn, hasButtons } = choices.getState();
    const isWantedNow = isOn && hasButtons && whyNoButtons() === null;
    const { state } = connection;
    if (state !== comparedOn) buttonsWorker.setState({ registration: null });
    // The connection proves that the gateway, and not another program, answers at this address. Without a
    // connection, another program could replace the worker, so its script is compared again on each new
    // connection.
    if (state.kind !== 'online' || (isWantedNow === isWanted && (state === comparedOn || !isWanted))) return;
    isWanted = isWantedNow;
    comparedOn = state;
    work = work.then(isWantedNow ? () => turnOn(connection, state) : turnOff);
  };
  choices.subscribe(follow);
  connection.onState(follow);
  approvalsStore.subscribe(({ requests }, { requests: before }) => {
    if (requests !== before) void closeDecided();
  });
  if (whyNoButtons() === null)
    navigator.serviceWorker.addEventListener('message', (event) => {
      // Presses wait for a comparison in progress; those of any other worker are ignored at once.
      if (isCompared(event)) void work.then(() => isCompared(event) && listen(client, event));
    });
}

const isCompared = ({ source }: MessageEvent<unknown>): boolean =>
  source !== null && source === buttonsWorker.getState().worker;

/**
 * Registers the worker with the gateway's script. The connection must still be open afterwards: otherwise
 * another program may have sent that script.
 */
async function turnOn(connection: Connection, online: ConnectionState): Promise<void> {
  const isOpen = (): boolean => connection.state === online;
  if (!isOpen()) return;
  try {
    const compared = await registerWorker();
    await connection.request('environment/status', undefined);
    if (isOpen()) buttonsWorker.setState({ ...compared, problem: null });
    await closeDecided();
  } catch (error) {
    // The worker is compared again on the next connection.
    if (!isOpen()) return;
    buttonsWorker.setState({ registration: null, problem: errorText(error) });
    if (!buttonsWorker.getState().worker) chooseButtons(false);
  }
}

async function turnOff(): Promise<void> {
  buttonsWorker.setState({ registration: null, worker: null });
  await unregisterWorkers().catch((error: unknown) => buttonsWorker.setState({ problem: errorText(error) }));
}

/** Handles one press per port. */
function listen(client: ExecClient, { data, ports: [port] }: MessageEvent<unknown>): void {
  const { kind } = (data ?? {}) as { readonly kind?: unknown };
  if (kind !== 'exec-console/notification' || !port) return;
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
 * Shows a notification through the worker, unless its request is no longer waiting; returns false when no worker is
 * registered.
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
    // Another program at this address may have shown a notification without data.
    const { id = null, isRequest = false } = (notification.data ?? {}) as Partial<NotificationData>;
    if (!isRequest || id === null) continue;
    const request = requestOf(id);
    if (!request || !isOpen(request)) notification.close();
  }
}
