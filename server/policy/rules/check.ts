// Evaluates one command by the rules, for `policy check` and the page.
import { APPROVAL_POLICIES } from '../../../protocol/console-constants.ts';
import type { ApprovalPolicy, MatchedRule, RuleCheck } from '../../../protocol/rules.ts';
import { judge, proposalFor } from './judge.ts';
import { ruleText, type PrefixRule, type RuleSet } from './rule.ts';
import { verdictOf } from './verdict.ts';

/**
 * Evaluates a command under each policy. `tightened` is the reason why every command that no rule forbids needs
 * approval; null when the usual policy applies.
 */
export function checked(rules: RuleSet, argv: readonly string[], tightened: string | null): RuleCheck {
  const judged = judge(rules, { argv, arg0: null });
  const matching = [...judged.parts.flatMap((part) => part.rules), ...judged.suspected];
  const verdictUnder = (policy: ApprovalPolicy): RuleCheck['verdicts'][ApprovalPolicy] => {
    const verdict = verdictOf(rules, judged, { policy, variables: [], tightened });
    return { verdict: verdict.kind, reason: verdict.kind === 'run' ? null : verdict.reason };
  };
  return {
    argv,
    decision: judged.decision,
    matchedRules: [...new Set(matching)].map(matchedRule),
    parts: judged.parts.map(({ words, decision }) => ({ words, decision })),
    complex: judged.complex,
    verdicts: Object.fromEntries(
      APPROVAL_POLICIES.map((policy) => [policy, verdictUnder(policy)]),
    ) as RuleCheck['verdicts'],
    proposedRules: proposalFor(judged).map(allowing),
  };
}

export const matchedRule = (rule: PrefixRule): MatchedRule => ({
  rule: ruleText(rule),
  file: rule.file,
  line: rule.line,
  decision: rule.decision,
  justification: rule.justification,
});

/** Returns the text of a rule that allows commands with this beginning. */
export const allowing = (words: readonly string[]): string =>
  ruleText({ pattern: words.map((word) => [word]), decision: 'allow' });
