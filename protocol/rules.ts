// The rules' judgement of a command, as shown in the console and by `exec-console policy check`.
// Exec-console's extension of the protocol.
import type { APPROVAL_POLICIES } from './console-constants.ts';

export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export type RuleDecision = 'allow' | 'prompt' | 'forbidden';

/** A rule that matches a command or a part of it. */
export interface MatchedRule {
  /** The rule's source text. */
  readonly rule: string;
  /** File of the rule, and its line from 1. */
  readonly file: string;
  readonly line: number;
  readonly decision: RuleDecision;
  readonly justification: string | null;
}

/** A command that the checked command runs, such as one of a shell script. */
export interface CheckedPart {
  readonly words: readonly string[];
  readonly decision: RuleDecision | null;
}

export interface RuleCheck {
  readonly argv: readonly string[];
  /** Strictest decision of the matching rules; null if none match, or instead of `allow` if a part is unmatched. */
  readonly decision: RuleDecision | null;
  readonly matchedRules: readonly MatchedRule[];
  readonly parts: readonly CheckedPart[];
  /** Reason why the rules can't determine the commands that `argv` runs; null if they can. */
  readonly complex: string | null;
  readonly verdicts: Readonly<
    Record<ApprovalPolicy, { readonly verdict: 'run' | 'ask' | 'refuse'; readonly reason: string | null }>
  >;
  /** Rules that would allow the command permanently, as source text; empty when none may be offered. */
  readonly proposedRules: readonly string[];
}
