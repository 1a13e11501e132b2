// Verdict on a command from the rules and a policy: run, ask or refuse.
import { cutTo } from '../../../text/cut.ts';
import { refusalByRule } from '../../../text/refusals.ts';
import type { ApprovalPolicy, RuleDecision } from '../../../protocol/rules.ts';
import { proposalFor, type Judged } from './judge.ts';
import { ruleText, type PrefixRule, type RuleSet } from './rule.ts';

export type Verdict =
  | { readonly kind: 'run' }
  | {
      readonly kind: 'ask';
      readonly reason: string;
      readonly rule: PrefixRule | null;
      /** Prefixes that would allow the command permanently; empty when none may be offered. */
      readonly proposal: readonly (readonly string[])[];
    }
  | { readonly kind: 'refuse'; readonly reason: string; readonly rule: PrefixRule | null };

export interface Circumstances {
  readonly policy: ApprovalPolicy;
  /** Names of environment variables that may change which code runs (`changedVariables`), as they are shown. */
  readonly variables: readonly string[];
  /** Number of further variables of this kind; 0 by default. */
  readonly moreVariables?: number;
  /**
   * Reason why every command that no rule forbids needs approval, under any policy; null when the rule files are valid
   * and match the accepted rules.
   */
  readonly tightened: string | null;
  /** Reason to ask because the agent requests to run the command without a sandbox; null when it does not. */
  readonly escalation?: string | null;
}

export function verdictOf(rules: RuleSet, judged: Judged, circumstances: Circumstances): Verdict {
  const { policy, variables, moreVariables = 0, tightened, escalation = null } = circumstances;
  const forbidding = ruleOf(judged, 'forbidden');
  if (forbidding) return { kind: 'refuse', reason: refusalOf(judged, forbidding), rule: forbidding };
  if (tightened !== null) return { kind: 'ask', reason: tightened, rule: null, proposal: [] };
  const { isCutShort, complex } = judged;
  if (policy === 'never') {
    const mayBeForbidden = isCutShort && rules.forbidsCommands;
    return mayBeForbidden
      ? { kind: 'refuse', reason: `${complex}, and a rule may forbid it`, rule: null }
      : { kind: 'run' };
  }

  const asking = ruleOf(judged, 'prompt');
  if (asking) {
    const reason = asking.justification ?? `the rule ${ruleText(asking)} requires approval`;
    return { kind: 'ask', reason, rule: asking, proposal: [] };
  }
  const asked = (reason: string): Verdict => ({
    kind: 'ask',
    reason,
    rule: null,
    proposal: variables.length === 0 ? proposalFor(judged) : [],
  });
  if (judged.isDangerous) return asked('it removes files without confirmation');
  if (isCutShort) return asked(`${complex}, so the command might remove files without confirmation`);
  if (complex !== null && rules.restricts)
    return asked(`${complex}, so rules cannot determine what the command runs`);
  if (escalation !== null && judged.decision !== 'allow') return asked(escalation);
  if (policy !== 'always') return { kind: 'run' };

  if (complex !== null) return asked(complex);
  if (variables.length > 0) return asked(`${namesOf(variables, moreVariables)} may change what runs`);
  return judged.decision === 'allow' ? { kind: 'run' } : asked('no rule allows it');
}

/** Returns the first NAMED variables and the number of further ones, for a sentence. */
function namesOf(variables: readonly string[], moreVariables: number): string {
  const more = variables.length + moreVariables - NAMED;
  const named = variables.slice(0, NAMED).map((name) => cutTo(name, NAME_CHARS));
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const NAMED = 10;
const NAME_CHARS = 200;

function ruleOf({ parts, suspected }: Judged, decision: RuleDecision): PrefixRule | null {
  return (
    [...parts.flatMap(({ rules }) => rules), ...suspected].find((rule) => rule.decision === decision) ?? null
  );
}

function refusalOf({ suspected }: Judged, rule: PrefixRule): string {
  return refusalByRule(ruleText(rule), !suspected.includes(rule), rule.justification);
}
