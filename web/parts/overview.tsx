// The page without an open pane: how to connect an agent, or where to click.
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';
import { whyNotStart } from '../state/processes/why-not-start.ts';
import { ConnectLine } from './connect-line.tsx';
import { OtherAgents } from './other-agents.tsx';

export function Overview({ onNew }: { readonly onNew: () => void }) {
  const isObserver = useStore(processStore, (state) => state.mayOnlyLook);
  const hasProcesses = useStore(processStore, (state) => Object.keys(state.processes).length > 0);
  const refusal = useStore(processStore, ({ connection }) => whyNotStart(connection));
  return (
    <div className="overview">
      <div className="overview-card">
        <h2>{hasProcesses ? 'Pick a process' : 'Nothing is running yet'}</h2>
        <p>
          {hasProcesses
            ? `Click one in the list to watch it live${isObserver ? '' : ', type into it, interrupt or terminate it'}. Watching changes nothing.`
            : 'Connect an agent, and everything it runs appears here as it starts:'}
        </p>
        {hasProcesses ? null : (
          <>
            <ConnectLine />
            <OtherAgents />
          </>
        )}
        {hasProcesses ? (
          <p className="hint keyboard-only">
            By keyboard: <kbd>j</kbd> and <kbd>k</kbd> go through the list, <kbd>Enter</kbd> opens,{' '}
            <kbd>?</kbd> shows all keyboard shortcuts.
          </p>
        ) : null}
        {isObserver ? null : (
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
