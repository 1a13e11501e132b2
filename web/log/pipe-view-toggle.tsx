// Log or terminal, for one pane; and in the log, when each line was printed or not.
import { Clock } from 'lucide-react';
import { useStore } from 'zustand';
import { keysOf } from '../layout/layout-tree.ts';
import { layoutStore } from '../layout/layout-store.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { pipeViewStore, showPipeAs, toggleTimes, viewOf, type PipeView } from './pipe-view.ts';

const VIEWS: readonly { readonly view: PipeView; readonly name: string }[] = [
  { view: 'log', name: 'Log' },
  { view: 'terminal', name: 'Terminal' },
];

export function PipeViewToggle({ processKey }: { readonly processKey: string }) {
  const shown = useStore(pipeViewStore, (state) => viewOf(state, processKey));
  const hasTimes = useStore(pipeViewStore, (state) => state.hasTimes);
  return (
    <span className="pipe-view">
      {shown === 'log' ? (
        <IconButton
          icon={Clock}
          label="Times"
          hint="When each line was printed"
          pressed={hasTimes}
          onClick={toggleTimes}
        />
      ) : null}
      <span role="group" aria-label="Show as" className="pipe-view-choice">
        {VIEWS.map(({ view, name }) => (
          <button
            key={view}
            type="button"
            aria-pressed={view === shown}
            onClick={() => showPipeAs(processKey, view, keysOf(layoutStore.getState().layout))}
          >
            {name}
          </button>
        ))}
      </span>
    </span>
  );
}
