// Commands for agents' requests: deciding by key on a card, row or pane, and pausing.
import type { ApprovalDecision } from '../../protocol/approvals.ts';
import { mayAct } from '../../client/connection-state.ts';
import { approvalsStore, isOpen, requestOf } from '../state/approvals/approvals-store.ts';
import { decide, openRequest, pause, unpause, unpauseAllAgents } from '../state/approvals/decide.ts';
import { focusRequest, goToRequest, showRule, writeMessage } from '../state/approvals/request-view.ts';
import { isReadToEnd } from '../state/approvals/read-to-end.ts';
import { areRowsSettled, settleAgain, settlesInMs } from '../state/approvals/settled.ts';
import { openDialog, showProblem } from '../state/page/page-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import {
  infoOf,
  onPage,
  onRequest,
  type Command,
  type CommandContext,
  type FocusedRequest,
} from './command.ts';

const isOperator = (): boolean => mayAct(processStore.getState().connection);

/**
 * True for an operator while a request has the focus, even before its keys take effect or after it was
 * decided, so that these keys never act on the page.
 */
const isAsked = ({ request }: CommandContext): boolean => isOperator() && request !== null;

interface DecisionKey {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly decision: ApprovalDecision;
}

const DECISIONS: readonly DecisionKey[] = [
  { id: 'approveOnce', key: 'y', title: 'Approve the request once', decision: 'accept' },
  {
    id: 'approveForSession',
    key: 's',
    title: 'Approve the request for the session',
    decision: 'acceptForSession',
  },
  { id: 'abortRequest', key: 'a', title: 'Abort: decline and stop the thread', decision: 'abort' },
];

const DECISION_COMMANDS = DECISIONS.map(({ id, key, title, decision }): Command => ({
  id,
  title,
  group: 'Approvals',
  isOnlyKeys: true,
  keys: [onRequest(key)],
  when: isAsked,
  run: ({ client, request }) => {
    if (!request || !isReady(request, decision !== 'abort')) return;
    const decided = decide(client, request, decision);
    if (request.place === 'card' && request.isInCard) goToNext(request.id, decided);
  },
}));

/**
 * True when a key takes effect: the request is still open, has not just appeared or moved and, for an approval, was
 * read to the end. If only the reading is missing, the page explains that.
 */
function isReady({ id, place, isInCard }: FocusedRequest, isApproval: boolean): boolean {
  const request = openRequest(id);
  if (!request) return false;
  if (isInCard ? settlesInMs(id) > 0 : !areRowsSettled()) return false;
  if (!isApproval || (isReadToEnd({ id, place }) ?? request.isWhole)) return true;
  showProblem('Not decided: the command is longer than shown. Read it to the end first.');
  return false;
}

/**
 * Focuses the card of the next open request that is not being `decided`. The card ignores keys for a moment, so that
 * the person notices the change.
 */
function goToNext(id: string, decided: readonly string[]): void {
  const { requests } = approvalsStore.getState();
  const at = requests.findIndex((each) => each.id === id);
  const next = [...requests.slice(at + 1), ...requests.slice(0, at)].find(
    (each) => isOpen(each) && !decided.includes(each.id),
  );
  if (!next) return;
  settleAgain(next.id);
  focusRequest({ id: next.id, place: 'card' });
}

const isPaused = (agent: string | null): boolean =>
  approvalsStore.getState().settings?.pauses.some((each) => each.agent === agent && each.session === null) ??
  false;

/** Name of the token whose agent started the subject; null without a subject, or when a person started it. */
const agentOf = (context: CommandContext): string | null => {
  const info = infoOf(context);
  return info && info.session !== 'console' ? info.startedBy : null;
};

const areOffered = (): boolean => isOperator() && approvalsStore.getState().settings !== null;

export const APPROVAL_COMMANDS: readonly Command[] = [
  ...DECISION_COMMANDS,
  {
    id: 'addRule',
    title: 'Show the rule that would allow the request',
    group: 'Approvals',
    isOnlyKeys: true,
    keys: [onRequest('r')],
    when: isAsked,
    run: ({ request }) => {
      if (!request || !isReady(request, true)) return;
      if (requestOf(request.id)?.proposedRules.length === 0)
        showProblem('No rule can be proposed for this request.');
      else showRule(request);
    },
  },
  {
    id: 'declineRequest',
    title: 'Decline the request, with a message',
    group: 'Approvals',
    isOnlyKeys: true,
    keys: [onRequest('n')],
    when: isAsked,
    run: ({ request }) => {
      if (request && isReady(request, false)) writeMessage({ ...request });
    },
  },
  {
    id: 'goToRequests',
    title: 'Go to the first request',
    words: 'approve approval waiting ask decide',
    group: 'Approvals',
    keys: [onPage('A')],
    when: () => approvalsStore.getState().requests.some(isOpen),
    run: () => goToRequest(null),
  },
  {
    id: 'pauseAll',
    title: 'Pause all agents: hold new commands',
    words: 'panic stop hold approval freeze',
    group: 'Approvals',
    when: () => areOffered() && !isPaused(null),
    run: ({ client }) => pause(client, { all: true }),
  },
  {
    id: 'unpauseAll',
    title: 'Unpause all agents',
    words: 'resume release approval continue',
    group: 'Approvals',
    when: () => areOffered() && isPaused(null),
    run: ({ client }) => unpauseAllAgents(client),
  },
  {
    id: 'endPauses',
    title: 'End all pauses, including those of single agents, sessions and threads',
    words: 'unpause resume release approval continue',
    group: 'Approvals',
    when: () =>
      areOffered() && (approvalsStore.getState().settings?.pauses ?? []).some(({ agent }) => agent !== null),
    run: ({ client }) => unpause(client, { all: true }),
  },
  {
    id: 'pauseAgent',
    title: 'Pause this agent: hold its new commands',
    words: 'stop hold approval freeze',
    group: 'Approvals',
    menu: 'Agent',
    when: (context) => {
      const agent = agentOf(context);
      return areOffered() && agent !== null && !isPaused(agent);
    },
    run: (context) => {
      const agent = agentOf(context);
      if (agent !== null) pause(context.client, { agent });
    },
  },
  {
    id: 'checkCommand',
    title: 'Check this command against the rules …',
    words: 'policy check approval allow forbid prompt',
    group: 'Approvals',
    menu: 'Agent',
    when: (context) => areOffered() && infoOf(context) !== undefined,
    run: () => openDialog('checkCommand'),
  },
  {
    id: 'approvalSettings',
    title: 'Approval settings: policies, pauses and rules',
    words: 'approval approve permission allow policy ask always never',
    group: 'Approvals',
    when: areOffered,
    run: () => openDialog('approvals'),
  },
];
