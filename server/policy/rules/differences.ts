// Differences between the accepted rules and the files on disk.
import type { ChangedRules } from '../../../protocol/approvals.ts';
import type { RuleTexts } from './rule-folder.ts';

/** Returns the files that differ, each with its accepted and its found text; a text is null if the file is missing. */
export function differences(accepted: RuleTexts, found: RuleTexts): ChangedRules[] {
  return [...new Set([...Object.keys(accepted), ...Object.keys(found)])]
    .filter((file) => accepted[file] !== found[file])
    .map((file) => ({ file, accepted: accepted[file] ?? null, found: found[file] ?? null }));
}
