// Differences between the accepted rules and the files on disk.
import type { ChangedRules } from '../../../protocol/approvals.ts';
import type { RuleTexts } from './rule-folder.ts';

/** Returns the files that differ; a text is null when the file does not exist there. */
export function differences(accepted: RuleTexts, found: RuleTexts): ChangedRules[] {
  return [...new Set([...Object.keys(accepted), ...Object.keys(found)])]
    .filter((file) => accepted[file] !== found[file])
    .map((file) => ({ file, accepted: accepted[file] ?? null, found: found[file] ?? null }));
}
