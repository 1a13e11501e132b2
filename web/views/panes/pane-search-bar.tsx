// Search bar of a pane that shows the output of a process.
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { SearchBar } from '../../parts/search-bar.tsx';
import { pipeViewStore, viewOf } from '../../state/page/pipe-view.ts';
import { processStore } from '../../state/processes/process-store.ts';

interface PaneSearchBarProps {
  readonly processKey: string;
  readonly onClose: () => void;
}

export function PaneSearchBar({ processKey, onClose }: PaneSearchBarProps) {
  const { terminals } = useConsole();
  const matches = useStore(processStore, (state) => state.terminals[processKey]?.matches ?? null);
  const view = useStore(pipeViewStore, (state) => viewOf(state, processKey));
  const search = terminals.get(processKey)?.searchIn(view);
  return <SearchBar processKey={processKey} search={search} matches={matches} onClose={onClose} />;
}
