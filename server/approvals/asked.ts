// A request that people may be asked about, of whatever kind.
import type { Pause } from '../../protocol/approvals.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { allowing, matchedRule } from '../policy/rules/check.ts';
import type { Judged } from '../policy/rules/judge.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Question, Why } from './waiting.ts';

export interface Under {
  readonly policy: ApprovalPolicy;
  /** Reason why every request needs approval; null normally. */
  readonly tightened: string | null;
}

export interface Looked {
  readonly verdict: Verdict;
  readonly judged: Pick<Judged, 'parts' | 'complex'>;
}

export interface Asked {
  /** True when pauses hold it. */
  readonly isStart: boolean;
  readonly thread: string | null;
  /** The key under which an approval for the session is remembered; null: each request is asked about. */
  readonly key: string | null;
  /** True when its session is asked about it only once, however it was approved. */
  readonly asksOnce: boolean;
  look(rules: RuleSet, under: Under): Looked;
  /** The same with what takes time to find out, before anybody is asked; null when nothing does. */
  readonly settled: (() => Promise<Asked>) | null;
  /** Resolves to false when the places that people were shown are others by now; null when there are none. */
  readonly isStill: (() => Promise<boolean>) | null;
  question(peer: Peer, why: Why): Question;
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

/** The members of a question that only some kinds have. */
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
} as const satisfies Partial<Question>;

/** Returns the reason why a request with this verdict waits; `pause`: the one that holds it. */
export function whyOf(verdict: Verdict, { parts, complex }: Looked['judged'], pause: Pause | null): Why {
  const asks = verdict.kind === 'ask' ? verdict : null;
  return {
    reason: verdict.kind === 'run' ? '' : verdict.reason,
    rule: verdict.kind !== 'run' && verdict.rule ? matchedRule(verdict.rule) : null,
    proposedRules: asks?.proposal.map(allowing) ?? [],
    parts: parts.map(({ words, decision }) => ({ words, decision })),
    complex,
    pause: pause?.id ?? null,
  };
}
