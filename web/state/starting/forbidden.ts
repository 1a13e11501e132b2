// Warns a person before they start a command that a rule forbids agents to run; people are allowed to run it.
import type { ExecClient } from '../../../client/exec-client.ts';
import { visible } from '../../../text/visible.ts';
import { approvalsStore } from '../approvals/approvals-store.ts';
import { argvOf, type Draft, type Model } from './draft.ts';

/** Returns the warning; null when no rule forbids the command of the draft. */
export async function forbiddenText(client: ExecClient, draft: Draft, model?: Model): Promise<string | null> {
  const { state } = client.connection;
  // No extra request is needed without such a rule.
  if (state.kind !== 'online' || approvalsStore.getState().settings?.forbids !== true) return null;
  const argv = [...argvOf(draft, state.environment.shell.path, model)];
  const { decision, matchedRules } = await client.connection.request('console/checkCommand', { argv });
  const rule = matchedRules.find((each) => each.decision === 'forbidden');
  if (decision !== 'forbidden' || !rule) return null;
  const why = rule.justification === null ? '' : `: ${visible(rule.justification)}`;
  return `The rule ${visible(rule.rule)} forbids agents to run this${why}. Press the same button again to run it anyway.`;
}
