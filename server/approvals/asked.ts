// A request of any kind that may need approval.
import type { Pause } from '../../protocol/approvals.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { allowing, matchedRule } from '../policy/rules/check.ts';
import type { Judged } from '../policy/rules/judge.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import type { Peer } from '../sessions/peer.ts';
import type { OnPointless, Question, Why } from './waiting.ts';

export interface Under {
  readonly policy: ApprovalPolicy;
  /** Reason why every request needs approval, such as changed rule files; null when there is none. */
  readonly tightened: string | null;
}

export interface Looked {
  readonly verdict: Verdict;
  readonly judged: Pick<Judged, 'parts' | 'complex'>;
}

export interface Asked {
  /** True for starts and tool calls, which pauses can hold. */
  readonly isStart: boolean;
  readonly thread: string | null;
  /** Key under which an approval for the session is remembered; null while none can be remembered. */
  readonly key: string | null;
  /** True when even a one-time approval covers equal requests for the rest of the session. */
  readonly asksOnce: boolean;
  look(rules: RuleSet, under: Under): Looked;
  /** Resolves to the request with the details that must be looked up before it is shown; null when it has none. */
  readonly settled: (() => Promise<Asked>) | null;
  /** Resolves to false when the place of a file change is no longer the one shown; null for other requests. */
  readonly isStill: (() => Promise<boolean>) | null;
  /**
   * Calls the listener, with the reason, when the request can no longer have an effect; returns a function that
   * removes the listener. Null for a request that cannot become pointless while it waits.
   */
  readonly onPointless: OnPointless | null;
  /** True when the requested sandbox is not available on this host: if approved, the start runs without it. */
  readonly lacksSandbox: boolean;
  question(peer: Peer, why: Why): Question;
  /** Returns all variables that concern the request; `question` has only the first ones. Null: it starts no command. */
  readonly allVariables: (() => Question['variables']) | null;
}

const NO_COMMANDS: Looked['judged'] = { parts: [], complex: null };

export const runs = (): Looked => ({ verdict: { kind: 'run' }, judged: NO_COMMANDS });

export const asks = (reason: string): Looked => ({
  verdict: { kind: 'ask', reason, rule: null, proposal: [] },
  judged: NO_COMMANDS,
});

export const refuses = (reason: string): Looked => ({
  verdict: { kind: 'refuse', reason, rule: null },
  judged: NO_COMMANDS,
});

/** Values of members that most kinds of requests do not use. */
export const PLAIN = {
  argv: [],
  arg0: null,
  tty: false,
  pipeStdin: false,
  sandboxed: false,
  processId: null,
  metadata: {},
  key: null,
  input: null,
  details: null,
  variables: [],
  moreVariables: 0,
} as const satisfies Partial<Question>;

/** Maximum number of parts that are listed; a command with more parts is shown only as a whole. */
export const MOST_SHOWN_PARTS = 50;

/** Returns the reason why a request with this verdict waits; `pause`: the pause that holds it; null when none does. */
export function whyOf(verdict: Verdict, { parts, complex }: Looked['judged'], pause: Pause | null): Why {
  const asks = verdict.kind === 'ask' ? verdict : null;
  return {
    reason: verdict.kind === 'run' ? '' : verdict.reason,
    rule: verdict.kind !== 'run' && verdict.rule ? matchedRule(verdict.rule) : null,
    proposedRules: asks?.proposal.map(allowing) ?? [],
    parts: parts.length > MOST_SHOWN_PARTS ? [] : parts.map(({ words, decision }) => ({ words, decision })),
    complex,
    pause: pause?.id ?? null,
  };
}
