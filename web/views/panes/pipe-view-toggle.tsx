// Buttons that show a pane's output as a log or a terminal and, for a log, filter stderr, wrap lines and show times.
import { Clock, Filter, TextWrap } from 'lucide-react';
import { useStore } from 'zustand';
import { keysOf } from '../../state/layout/layout-tree.ts';
import { layoutStore } from '../../state/layout/layout-store.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import {
  pipeViewStore,
  showPipeAs,
  toggleStderrOnly,
  toggleTimes,
  toggleWrap,
  viewOf,
  type PipeView,
} from '../../state/page/pipe-view.ts';

const VIEWS: readonly { readonly view: PipeView; readonly name: string }[] = [
  { view: 'log', name: 'Log' },
  { view: 'terminal', name: 'Terminal' },
];

export function PipeViewToggle({ processKey }: { readonly processKey: string }) {
  const shown = useStore(pipeViewStore, (state) => viewOf(state, processKey));
  const hasTimes = useStore(pipeViewStore, (state) => state.hasTimes);
  const isStderrOnly = useStore(pipeViewStore, (state) => state.stderrOnly[processKey] ?? false);
  const wraps = useStore(pipeViewStore, (state) => state.wraps);
  return (
    <span className="pipe-view">
      {shown === 'log' ? (
        <>
          <IconButton
            icon={Filter}
            label="Show stderr only"
            hint="Show only lines that were printed to stderr"
            pressed={isStderrOnly}
            onClick={() => toggleStderrOnly(processKey)}
          >
            stderr
          </IconButton>
          <IconButton
            icon={TextWrap}
            label="Wrap long lines"
            hint="Wrap long lines to the width of the pane"
            pressed={wraps}
            onClick={toggleWrap}
          />
          <IconButton icon={Clock} label="Show timestamps" pressed={hasTimes} onClick={toggleTimes} />
        </>
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
