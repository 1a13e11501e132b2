// View shown while there are no processes: how to connect an agent.
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotStart } from '../../state/processes/why-not-start.ts';
import { ConnectLine } from '../../parts/connect-line.tsx';
import { OtherAgents } from '../../parts/other-agents.tsx';

export function Overview({ onNew }: { readonly onNew: () => void }) {
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const refusal = useStore(processStore, ({ connection }) => whyNotStart(connection));
  return (
    <div className="overview">
      <div className="overview-card">
        <h2>Nothing is running yet</h2>
        <p>Connect an agent, and its processes appear here as they start:</p>
        <ConnectLine />
        <OtherAgents />
        {isReadOnly ? null : (
          <button
            type="button"
            className="secondary"
            disabled={refusal !== null}
            title={refusal ?? undefined}
            onClick={onNew}
          >
            Start a process
          </button>
        )}
      </div>
    </div>
  );
}
