// Creates the answer of a hook in the format of each agent.
import type { AskResult } from '../../protocol/approvals.ts';
import type { HookEvent } from './hook-events.ts';

/**
 * Returns the answer to print; null when the hook prints nothing, so that the agent proceeds as without it.
 * `rewritten`: command that runs the agent's command in the gateway; null when the command is not rewritten.
 */
export function hookAnswer(
  event: HookEvent,
  { decision, decidedBy, message }: AskResult,
  rewritten: string | null,
): object | null {
  const reason = message ?? `approved${decidedBy === null ? ' by a rule' : ` by ${decidedBy}`}`;
  if (event.moment === 'permission') return decision === 'none' ? null : permission(decision, reason);
  switch (event.dialect) {
    case 'claude':
    case 'vscode':
      return before(event, { decision, reason, rewritten, canAsk: true });
    case 'codex':
      return before(event, { decision, reason, rewritten, canAsk: false });
    case 'gemini':
      return gemini(event, { decision, reason, rewritten });
    case 'cursor':
      return decision === 'none' ? null : cursor(decision, reason);
  }
}

interface Answered {
  readonly decision: AskResult['decision'];
  readonly reason: string;
  readonly rewritten: string | null;
}

const permission = (decision: 'accept' | 'decline', message: string): object => ({
  hookSpecificOutput: {
    hookEventName: 'PermissionRequest',
    decision: decision === 'accept' ? { behavior: 'allow' } : { behavior: 'deny', message },
  },
});

/**
 * Returns the answer before a tool call. An undecided command is rewritten if the agent never asks its user, or can
 * be made to ask; otherwise there is no answer.
 */
function before(
  { input, skipsPrompts, refusesPrompts }: HookEvent,
  { decision, reason, rewritten, canAsk }: Answered & { readonly canAsk: boolean },
): object | null {
  const answer = (permissionDecision: 'allow' | 'ask' | 'deny', more: object): object => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
  });
  const updated = rewritten === null ? {} : { updatedInput: { ...input, command: rewritten } };
  if (decision === 'decline') return answer('deny', { permissionDecisionReason: reason });
  if (decision === 'accept') return answer('allow', { permissionDecisionReason: reason, ...updated });
  if (rewritten === null) return null;
  if (skipsPrompts) return answer('allow', updated);
  return canAsk && !refusesPrompts ? answer('ask', updated) : null;
}

/** Returns the answer for Gemini CLI, which asks its user before it calls the hook. */
function gemini({ input }: HookEvent, { decision, reason, rewritten }: Answered): object | null {
  if (decision === 'decline') return { decision: 'deny', reason };
  if (rewritten === null) return null;
  return {
    hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { ...input, command: rewritten } },
  };
}

const cursor = (decision: 'accept' | 'decline', reason: string): object =>
  decision === 'accept'
    ? { permission: 'allow' }
    : { permission: 'deny', user_message: reason, agent_message: reason };

/** Returns the answer that refuses a tool call for which approval cannot be requested. */
export function hookRefusal(event: HookEvent, reason: string): object | null {
  return hookAnswer(event, { decision: 'decline', decidedBy: null, message: reason }, null);
}
