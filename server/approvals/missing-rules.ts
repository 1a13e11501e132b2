// Warnings about the paths of `--rules` that have no rule file when the gateway starts.
import { statSync } from 'node:fs';
import { ApprovalStore } from '../policy/approval-store.ts';
import { BrokenRules, readRules } from '../policy/rules/rule-folder.ts';

/**
 * Returns a warning for each path that has neither rule files nor accepted rules; changes to accepted rules, and
 * invalid rules, are reported elsewhere.
 */
export function missingRules(stateDir: string, paths: readonly string[]): string[] {
  const accepted = new ApprovalStore(stateDir).stored.rules;
  return paths
    .filter((path) => Object.keys(accepted[path] ?? {}).length === 0 && isEmpty(path))
    .map((path) => {
      const what = statSync(path, { throwIfNoEntry: false }) ? 'has no *.rules file' : 'does not exist';
      return `--rules ${path} ${what}, so it adds no rule. When rules appear there, every agent command waits until an admin accepts them with: exec-console policy accept`;
    });
}

function isEmpty(path: string): boolean {
  try {
    return Object.keys(readRules(path)).length === 0;
  } catch (error) {
    if (error instanceof BrokenRules) return false;
    throw error;
  }
}
