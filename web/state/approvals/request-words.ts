// Wording for requests: what an agent asks for, and the outcome.
import type { Approval, Pause } from '../../../protocol/approvals.ts';
import { SOMEBODY } from '../../../protocol/console-constants.ts';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import { capitalized } from '../../../text/capitalized.ts';
import { scriptOf, shellQuote } from '../../../text/command-line.ts';
import { asSentence } from '../../../text/error-text.ts';
import { refusalAfterChange } from '../../../text/refusals.ts';
import { visible } from '../../../text/visible.ts';

/** Returns for example `asks to start` or `asks to type`. */
export function askedText({ kind, method }: Pick<Approval, 'kind' | 'method'>): string {
  switch (kind) {
    case 'start':
      return 'asks to start';
    case 'input':
      return 'asks to type';
    case 'request':
      return 'asks to send a request';
    case 'file':
      return `asks for ${method}`;
    case 'tool':
      return 'asks for permission';
  }
}

/** Returns true when the agent wants to run a command, as a process of the gateway or with its own tool. */
export const isCommand = ({ kind, argv }: Pick<Approval, 'kind' | 'argv'>): boolean =>
  kind === 'start' || (kind === 'tool' && argv.length > 0);

/** A command in two parts: the shell invocation, and the script that the shell runs. */
export interface ShownCommand {
  /** Shell invocation; empty when no shell is used. */
  readonly wrapper: string;
  readonly runs: string;
}

export function shownCommand({ argv }: Pick<Approval, 'argv'>): ShownCommand {
  const script = scriptOf(argv);
  if (script === null) return { wrapper: '', runs: argv.map(shellQuote).join(' ') };
  return { wrapper: argv.slice(0, 2).map(shellQuote).join(' '), runs: script };
}

/** Returns the reason for waiting as a sentence of its own; a rule's justification stays as it was written. */
export const reasonText = ({ reason, rule }: Pick<Approval, 'reason' | 'rule'>): string =>
  reason === rule?.justification ? reason : asSentence(reason);

/** Returns the accessible name of a card: the script, input or call, with hidden characters made visible. */
export function requestName(request: Approval): string {
  const { kind, cwd, input, method, details } = request;
  // Observers do not receive the input, and the audit log does not store it.
  if (kind === 'input')
    return input === null ? `input for ${visible(shownCommand(request).runs)}` : visible(input);
  if (isCommand(request)) return visible(shownCommand(request).runs);
  if (kind === 'tool') return visible(details ?? '');
  return `${method} ${visible(cwd)}`;
}

/**
 * Returns for example `Approved once by ann`, `Declined by you: use the staging server`, `Refused after ann changed a
 * rule or the policy: the rule … forbids` or `Withdrawn: the agent disconnected or cancelled the request`.
 */
export function outcomeText({ state, decision, decidedBy, message }: Approval, own: string | null): string {
  const who = decidedBy !== null && decidedBy === own ? 'you' : visible(decidedBy ?? SOMEBODY);
  const by = decidedBy === null ? '' : ` by ${who}`;
  const messageText = message ? `: ${visible(message)}` : '';
  if (state === 'expired') return 'Nobody answered in time';
  if (state === 'withdrawn') return 'Withdrawn: the agent disconnected or cancelled the request';
  switch (decision) {
    case 'accept':
      return `Approved once${by}`;
    case 'acceptForSession':
      return `Approved for the session${by}`;
    case 'acceptWithRule':
      return `Approved with a rule${by}`;
    case 'decline':
      return `Declined${by}${messageText}`;
    case 'abort':
      return `Aborted${by}${messageText}`;
    case 'released':
      return 'Released: it no longer needs approval';
    case null:
      return state === 'declined'
        ? capitalized(refusalAfterChange(who, visible(message ?? '')))
        : 'No longer waiting';
  }
}

/**
 * Returns, by request id, the space-separated ids of all other identical requests; requests without identical
 * ones have no entry.
 */
export function identicalTo(requests: readonly Approval[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const request of requests) {
    const same = sameness(request);
    groups.set(same, [...(groups.get(same) ?? []), request.id]);
  }
  const found = new Map<string, string>();
  for (const ids of groups.values()) {
    if (ids.length < 2) continue;
    for (const id of ids) found.set(id, ids.filter((each) => each !== id).join(' '));
  }
  return found;
}

/** Returns a request as text for comparison, without its ids, creation time, metadata and `hasGoneOn`. */
const sameness = (request: Approval): string =>
  JSON.stringify({
    ...request,
    // Only the beginning of a very long command is known, so it matches no other.
    id: request.isWhole ? '' : request.id,
    processId: null,
    metadata: {},
    createdAtMs: 0,
    hasGoneOn: false,
  });

/** Approval policies as shown to people, most permissive first. */
export const POLICY_WORDS: { readonly [policy in ApprovalPolicy]: string } = {
  never: 'Never ask',
  'on-request': 'Ask when a rule requires it, and before forced removals',
  'on-failure': 'Ask when a rule requires it, before forced removals, and after a sandbox denial',
  always: 'Ask about everything that no rule allows',
};

/** Returns for example `all agents`, `bot`, `thread x` or `session y`. */
export function pausedText({ agent, session, thread }: Pause): string {
  if (thread !== null) return `thread ${visible(thread)}`;
  if (session !== null) return `session ${visible(session)}`;
  return agent === null ? 'all agents' : visible(agent);
}
