// Row in the settings that shows the approval policy and opens the approval settings.
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { approvalsStore } from '../../state/approvals/approvals-store.ts';
import { POLICY_WORDS } from '../../state/approvals/request-words.ts';
import { openDialog } from '../../state/page/page-store.ts';
import { processStore } from '../../state/processes/process-store.ts';

export function ApprovalsSetting() {
  const mayChange = useStore(processStore, ({ connection }) => mayAct(connection));
  const policy = useStore(approvalsStore, ({ settings }) => settings?.policy ?? null);
  if (!mayChange || policy === null) return null;
  return (
    <div className="settings-row settings-approvals" role="group" aria-labelledby="settings-approvals">
      <span>
        <b id="settings-approvals">Approvals</b>
        <span className="hint">In the gateway, for all agents: {POLICY_WORDS[policy].toLowerCase()}</span>
      </span>
      <button type="button" className="secondary" onClick={() => openDialog('approvals')}>
        Change …
      </button>
    </div>
  );
}
