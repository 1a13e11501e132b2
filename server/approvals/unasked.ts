// A state folder under which a gateway that can ask nobody must not serve: nobody else can connect to one on stdio.
import { join } from 'node:path';
import { ApprovalStore } from '../policy/approval-store.ts';
import { BrokenRules, readRules, rulesIn } from '../policy/rules/rule-folder.ts';
import { RuleSet } from '../policy/rules/rule.ts';

/** Returns what in the folder asks people, holds starts or forbids commands; null when nothing does. */
export function whatAsks(stateDir: string): string | null {
  const { policy, agents, pauses } = new ApprovalStore(stateDir).stored;
  const asking = [policy, ...Object.values(agents)].find((each) => each !== null && each !== 'never');
  if (asking) return `somebody has set the policy ${asking} there`;
  if (pauses.length > 0) return 'somebody has paused agents there';
  const folder = join(stateDir, 'rules');
  try {
    const forbids = new RuleSet(rulesIn(readRules(folder)), undefined).forbids;
    return forbids ? `the rules in ${folder} forbid commands` : null;
  } catch (error) {
    if (error instanceof BrokenRules) return `its rules cannot be understood: ${error.message}`;
    throw error;
  }
}
