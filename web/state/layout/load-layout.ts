// Loads a saved layout in place of the current one, without starting or ending processes.
import { visible } from '../../../text/visible.ts';
import { processStore } from '../processes/process-store.ts';
import { showPanes, showProblem } from '../page/page-store.ts';
import { setLayout } from './layout-store.ts';
import { layoutAgain, type SavedLayout } from './saved-layouts.ts';

export function loadLayout(saved: SavedLayout): void {
  const layout = layoutAgain(saved, processStore.getState().processes);
  if (layout) {
    setLayout(layout);
    showPanes();
  } else {
    showProblem(
      `Layout “${visible(saved.name)}” was not loaded: its processes no longer exist, and no running process has the same command and folder.`,
    );
  }
}
