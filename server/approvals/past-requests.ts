// Requests that were decided, refused by a rule or expired before the gateway started, from the audit log.
import type { Approval, ApprovalKind } from '../../protocol/approvals.ts';
import {
  askedDetails,
  decidedDetails,
  overDetails,
  type AskedDetails,
  type DecidedDetails,
} from '../../protocol/approval-acts.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import { PLAIN } from './asked.ts';

const STATES = { approve: 'accepted', decline: 'declined', abort: 'aborted' } as const;
const isDecision = (act: string): act is keyof typeof STATES => Object.hasOwn(STATES, act);

/** Returns the requests in the order in which they ended; `entries`: the acts of the audit log, oldest first. */
export function pastRequests(entries: readonly AuditEntry[]): readonly Approval[] {
  const asked = new Map<string, Approval>();
  const over = new Map<string, Approval>();
  for (const { act, atMs, who, key, details } of entries) {
    if (act === 'askApproval') {
      const { data } = askedDetails.safeParse(details);
      if (data) asked.set(data.id, { ...requestOf(data, who), key, createdAtMs: atMs });
    } else if (isDecision(act)) {
      const { data } = decidedDetails.safeParse(details);
      const request = data && (asked.get(data.id) ?? unasked(data, atMs));
      if (!request) continue;
      const { decision, message = null } = data;
      const outcome = { state: STATES[act], decision, decidedBy: who, decidedAtMs: atMs, message };
      over.set(request.id, { ...request, ...outcome });
    } else if (act === 'approvalOver') {
      const { data } = overDetails.safeParse(details);
      const request = data && asked.get(data.id);
      if (!request) continue;
      const { state, by: decidedBy = null, reason: message = null } = data;
      over.set(request.id, { ...request, state, decidedBy, decidedAtMs: atMs, message });
    }
  }
  return [...over.values()];
}

/** Returns the request for a decision when the log has only the decision; null if its agent or command is unknown. */
function unasked(decided: DecidedDetails, atMs: number): Approval | null {
  const { id, argv: words = [], agent } = decided;
  if (agent === undefined || words.length === 0) return null;
  return { ...requestOf({ id, method: 'process/start', reason: '', argv: words }, agent), createdAtMs: atMs };
}

function requestOf(asked: AskedDetails, startedBy: string): Approval {
  const { id, method, reason, argv: words = [], cwd = '', details = null, clientName = '' } = asked;
  return {
    ...PLAIN,
    id,
    state: 'waiting',
    kind: kindOf(method),
    method,
    argv: words,
    // The audit log shortens long commands, so none of its commands counts as complete.
    isWhole: false,
    cwd,
    details,
    startedBy,
    clientName,
    session: '',
    reason,
    rule: null,
    proposedRules: [],
    parts: [],
    complex: null,
    branch: null,
    program: null,
    folder: null,
    pause: null,
    hasGoneOn: false,
    createdAtMs: 0,
    decision: null,
    decidedBy: null,
    decidedAtMs: null,
    message: null,
  };
}

function kindOf(method: string): ApprovalKind {
  if (method === 'approvals/ask') return 'tool';
  if (method === 'process/write') return 'input';
  if (method === 'http/request') return 'request';
  return method.startsWith('fs/') ? 'file' : 'start';
}
