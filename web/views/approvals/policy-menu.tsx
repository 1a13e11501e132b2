// Menu that sets the approval policy of all agents, pauses or unpauses all agents, and opens the approval settings.
import { Settings2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { ApprovalSettings } from '../../../protocol/approvals.ts';
import { APPROVAL_POLICIES } from '../../../protocol/console-constants.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { MenuButton } from '../../parts/menu-button.tsx';
import { pause, setPolicy, unpauseAllAgents } from '../../state/approvals/decide.ts';
import { pauseOfAllAgents } from '../../state/approvals/approvals-store.ts';
import { POLICY_WORDS } from '../../state/approvals/request-words.ts';
import { openDialog } from '../../state/page/page-store.ts';
import { processStore } from '../../state/processes/process-store.ts';

/**
 * False when no start needs approval: each policy is `never`, nothing is paused, and the rules are valid and
 * accepted.
 */
export const asksAnything = ({ policy, agents, pauses, tightened }: ApprovalSettings): boolean =>
  policy !== 'never' ||
  agents.some((each) => each.policy !== 'never') ||
  pauses.length > 0 ||
  tightened !== null;

export function PolicyMenu({ settings }: { readonly settings: ApprovalSettings }) {
  const { client } = useConsole();
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!mayChange) return null;
  const isPaused = pauseOfAllAgents(settings) !== undefined;
  return (
    <MenuButton
      icon={Settings2}
      label="Approval settings"
      partsNow={() => [
        {
          name: 'Policy',
          items: APPROVAL_POLICIES.map((policy) => ({
            id: policy,
            content: POLICY_WORDS[policy],
            isCurrent: policy === settings.policy,
            onChoose: () => setPolicy(client, policy),
          })),
        },
        {
          name: 'More',
          items: [
            isPaused
              ? {
                  id: 'unpause',
                  content: 'Unpause all agents',
                  onChoose: () => unpauseAllAgents(client),
                }
              : { id: 'pause', content: 'Pause all agents', onChoose: () => pause(client, { all: true }) },
            { id: 'settings', content: 'Open approval settings …', onChoose: () => openDialog('approvals') },
          ],
        },
      ]}
    />
  );
}
