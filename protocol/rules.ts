// The judgement of the rules on a command, as the console and `exec-console policy check` show it. Ours on the wire.
import type { APPROVAL_POLICIES } from './console-constants.ts';

export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export type RuleDecision = 'allow' | 'prompt' | 'forbidden';

/** A rule that matches a command, or a part of it. */
export interface MatchedRule {
  /** The rule in the rule language. */
  readonly rule: string;
  /** File of the rule, and its line from 1. */
  readonly file: string;
  readonly line: number;
  readonly decision: RuleDecision;
  readonly justification: string | null;
}

/** A command inside the command. */
export interface CheckedPart {
  readonly words: readonly string[];
  readonly decision: RuleDecision | null;
}

export interface RuleCheck {
  readonly argv: readonly string[];
  /** Null when no rule decides about all of it. */
  readonly decision: RuleDecision | null;
  readonly matchedRules: readonly MatchedRule[];
  readonly parts: readonly CheckedPart[];
  /** Reason why the rules cannot determine the commands it runs; null when they can. */
  readonly complex: string | null;
  /** The verdict under each policy when an agent starts it. */
  readonly verdicts: Readonly<
    Record<ApprovalPolicy, { readonly verdict: 'run' | 'ask' | 'refuse'; readonly reason: string | null }>
  >;
  /** Rules that would allow it for good, as the rule language has them; none where none may be offered. */
  readonly proposedRules: readonly string[];
}
