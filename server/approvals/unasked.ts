// Detects state folders that require approvals, which a gateway on stdio must not use: no person can connect to it.
import { join } from 'node:path';
import { ApprovalStore } from '../policy/approval-store.ts';
import { BrokenRules, readRules, rulesIn } from '../policy/rules/rule-folder.ts';
import { RuleSet } from '../policy/rules/rule.ts';

/**
 * Returns the reason why the folder requires approvals, holds starts, forbids commands or hosts, or has broken
 * rules; null when there is no such reason.
 */
export function whatAsks(stateDir: string): string | null {
  const { policy, agents, pauses } = new ApprovalStore(stateDir).stored;
  const asking = [policy, ...Object.values(agents)].find((each) => each !== null && each !== 'never');
  if (asking) return `its state folder sets the policy "${asking}"`;
  if (pauses.length > 0) return 'its state folder contains pauses of agents';
  const folder = join(stateDir, 'rules');
  try {
    const rules = new RuleSet(rulesIn(readRules(folder)), undefined);
    const forbidden = [
      ...(rules.forbidsCommands ? ['commands'] : []),
      ...(rules.forbidsHosts ? ['hosts'] : []),
    ].join(' and ');
    return forbidden === '' ? null : `the rules in ${folder} forbid ${forbidden}`;
  } catch (error) {
    if (error instanceof BrokenRules) return `the rules in its state folder cannot be used: ${error.message}`;
    throw error;
  }
}
