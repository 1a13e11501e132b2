// Decisions of the page's user on requests, pauses and policies; failures are shown.
import type { Approval, ApprovalDecision } from '../../../protocol/approvals.ts';
import type { Requests } from '../../../protocol/methods.ts';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';
import { showDone, showProblem } from '../page/page-store.ts';
import { draftOf, requestView, type Meant } from './request-view.ts';
import { identicalTo } from './request-words.ts';
import { approvalsStore, isOpen, pauseOfAllAgents, requestOf } from './approvals-store.ts';

/** Maximum length of a message to an agent in characters, set by the gateway. */
export const MESSAGE_CHARS = 1000;

/**
 * Sends a decision on a request, and on the identical requests if the person's draft includes them; a decision to
 * decline or abort has the draft's message. `rules`: those that were shown, for `acceptWithRule`. Returns the ids of
 * all requests that the decision concerns.
 */
export function decide(
  client: ExecClient,
  request: Meant,
  decision: ApprovalDecision,
  rules?: readonly string[],
): readonly string[] {
  const { message, areAllMeant } = draftOf(requestView.getState(), request);
  const open = approvalsStore.getState().requests.filter(isOpen);
  const identical = areAllMeant ? (identicalTo(open).get(request.id)?.split(' ') ?? []) : [];
  const ids = [request.id, ...identical];
  const hasMessage = decision === 'decline' || decision === 'abort';
  // The gateway itself applies a decision for the session or with a rule to identical requests.
  const isForAll = decision === 'acceptForSession' || decision === 'acceptWithRule';
  for (const id of isForAll ? ids.slice(0, 1) : ids) {
    const text = hasMessage ? message.trim() : '';
    const params = {
      id,
      decision,
      ...(text !== '' && { message: text }),
      ...(rules && { rules: [...rules] }),
    };
    void isDone(client.connection.request('console/decide', params), 'Not decided');
  }
  return ids;
}

/** Resolves to true once the gateway has accepted the decision, or to false once a failure is shown. */
export const decideOne = (client: ExecClient, id: string, decision: ApprovalDecision): Promise<boolean> =>
  isDone(client.connection.request('console/decide', { id, decision }), 'Not decided');

/** Returns the request if it is still open; otherwise null, and the page reports that nothing was decided. */
export function openRequest(id: string): Approval | null {
  const request = requestOf(id);
  if (request && isOpen(request)) return request;
  showProblem('Not decided: this request is no longer waiting. Press A to go to the first waiting request.');
  return null;
}

/** Pauses new starts of all agents, one agent, a session or a thread; an identical pause is not added twice. */
export function pause(client: ExecClient, params: Requests['console/pause']['params']): void {
  void isDone(client.connection.request('console/pause', params), 'Not paused');
}

export function unpause(client: ExecClient, params: { readonly id: string } | { readonly all: true }): void {
  void isDone(client.connection.request('console/unpause', params), 'Still paused');
}

/** Lifts the pause of all agents; pauses of single agents, sessions and threads stay. */
export function unpauseAllAgents(client: ExecClient): void {
  const paused = pauseOfAllAgents(approvalsStore.getState().settings);
  if (paused) unpause(client, { id: paused.id });
}

export function setPolicy(client: ExecClient, policy: ApprovalPolicy | null, agent?: string): void {
  const params = { policy, ...(agent !== undefined && { agent }) };
  void isDone(client.connection.request('console/setPolicy', params), 'Policy not changed');
}

async function isDone(request: Promise<unknown>, failure: string): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    showDone(null);
    showProblem(`${failure}: ${errorText(error)}.`);
    return false;
  }
}
