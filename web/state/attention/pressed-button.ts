// Button presses on notifications, passed on by the service worker: this page decides, as for a key on the card.
import { mayAct } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import type { NotificationAnswer, NotificationData, NotificationPress } from '../../worker/messages.ts';
import { requestOf } from '../approvals/approvals-store.ts';
import { decideOne, openRequest } from '../approvals/decide.ts';
import { SETTLES_MS } from '../approvals/settled.ts';
import { showProblem } from '../page/page-store.ts';
import { processStore } from '../processes/process-store.ts';
import { offerOf, shownText } from './request-offer.ts';
import { showSubject } from './show-subject.ts';

/** Age beyond which a press decides nothing: a page frozen by the browser receives it late. */
const LATEST_MS = 10_000;

/** Returns the press; null for a value of another shape. */
export function parsePress(value: unknown): NotificationPress | null {
  const { action, data, pressedAtMs } = membersOf<NotificationPress>(value);
  const { id, isRequest, shown, shownAtMs } = membersOf<NotificationData>(data);
  const isPress =
    (action === 'approve' || action === 'decline' || action === 'show') &&
    (typeof id === 'string' || id === null) &&
    typeof isRequest === 'boolean' &&
    typeof shown === 'string' &&
    Number.isFinite(shownAtMs) &&
    Number.isFinite(pressedAtMs);
  return isPress ? (value as NotificationPress) : null;
}

const membersOf = <T>(value: unknown): Partial<Record<keyof T, unknown>> =>
  typeof value === 'object' && value !== null ? value : {};

/** Handles a press, and resolves to the reply for the worker. */
export async function act(client: ExecClient, press: NotificationPress): Promise<NotificationAnswer> {
  const { action, data, pressedAtMs } = press;
  if (pressedAtMs - data.shownAtMs < SETTLES_MS) return 'ignored';
  if (action !== 'show' && data.isRequest && data.id !== null) {
    const decision = action === 'approve' ? 'accept' : 'decline';
    if (mayDecide(press, data.id) && (await decideOne(client, data.id, decision))) return 'done';
    // The reason why nothing was decided is already shown.
    if (!requestOf(data.id)) return 'show';
  }
  showSubject(data);
  return 'show';
}

/**
 * Returns true when the press is recent, this page may decide, and the request is still waiting, unchanged since it
 * was shown and, for an approval, shown in full. Otherwise shows the reason and returns false.
 */
function mayDecide({ action, data, pressedAtMs }: NotificationPress, id: string): boolean {
  const request = openRequest(id);
  if (!request) return false;
  const offer = offerOf(request);
  const why =
    Date.now() - pressedAtMs > LATEST_MS
      ? 'the button was pressed too long ago'
      : !mayAct(processStore.getState().connection)
        ? 'the page is not connected as an operator'
        : data.shown !== shownText(request, offer) || (action === 'approve' && !offer.mayApprove)
          ? 'the request has changed since the notification'
          : null;
  if (why !== null) showProblem(`Not decided: ${why}.`);
  return why === null;
}
