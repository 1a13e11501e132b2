// Decisions of the person at the page on requests, pauses and policies; failures are shown.
import type { ApprovalDecision } from '../../../protocol/approvals.ts';
import type { Requests } from '../../../protocol/methods.ts';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';
import { tellDone, tellProblem } from '../page/page-store.ts';

/** Limit of the gateway for a message to an agent. */
export const MESSAGE_CHARS = 1000;

export interface Decided {
  /** Ids of one request, or of several identical ones. */
  readonly ids: readonly string[];
  readonly decision: ApprovalDecision;
  readonly message?: string;
}

export function decide(client: ExecClient, { ids, decision, message = '' }: Decided): void {
  // A decision for the session or with a rule also decides the identical requests.
  const isForAll = decision === 'acceptForSession' || decision === 'acceptWithRule';
  for (const id of isForAll ? ids.slice(0, 1) : ids) {
    const params = { id, decision, ...(message.trim() !== '' && { message: message.trim() }) };
    tellFailure(client.connection.request('console/decide', params), 'Not decided');
  }
}

/** Pauses new starts of all agents, one agent, a session or a thread; a pause that already holds is not doubled. */
export function pause(client: ExecClient, params: Requests['console/pause']['params']): void {
  tellFailure(client.connection.request('console/pause', params), 'Not paused');
}

export function unpause(client: ExecClient, params: { readonly id: string } | { readonly all: true }): void {
  tellFailure(client.connection.request('console/unpause', params), 'Still paused');
}

export function setPolicy(client: ExecClient, policy: ApprovalPolicy | null, agent?: string): void {
  const params = { policy, ...(agent !== undefined && { agent }) };
  tellFailure(client.connection.request('console/setPolicy', params), 'Nothing changed');
}

function tellFailure(request: Promise<unknown>, what: string): void {
  request.catch((error: unknown) => {
    tellDone(null);
    tellProblem(`${what}: ${errorText(error)}.`);
  });
}
