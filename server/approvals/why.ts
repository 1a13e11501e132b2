// The reason for which a request waits, for people.
import type { Pause } from '../../protocol/approvals.ts';
import { allowing, matchedRule } from '../policy/rules/check.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import type { Looked } from './asked.ts';
import type { Why } from './waiting.ts';

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
