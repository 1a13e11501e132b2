// Shows the lines found by a search one at a time, each in the pane of its process.
import { closePane, layoutStore, openPane } from '../state/layout/layout-store.ts';
import { keysOf } from '../state/layout/layout-tree.ts';
import { showPanes } from '../state/page/page-store.ts';
import { foundLines, linesTo, stepOf, textAround, type FoundLines } from '../state/processes/found-lines.ts';
import type { ConsoleParts } from './console-context.tsx';

type Parts = Pick<ConsoleParts, 'client' | 'terminals'>;

/** Shows the current line of `found`, and closes the pane that was opened only for the previous line. */
export function showFound(parts: Parts, found: Omit<FoundLines, 'preview'>): void {
  const line = found.lines[found.at];
  if (!line) return;
  const { key, entry, offset } = line;
  const wasOpen = keysOf(layoutStore.getState().layout).includes(key);
  const preview = foundLines.getState().found?.preview ?? null;
  if (entry) parts.client.processes.remember(entry);
  openPane(key);
  if (preview !== null && preview !== key) closePane(preview);
  foundLines.setState({ found: { ...found, preview: wasOpen && preview !== key ? null : key } });
  parts.terminals.goTo({ key, offset, text: textAround(line) });
  showPanes();
}

/** Shows the next line found, or with -1 the previous one; requests more lines after the last one loaded. */
export async function stepFound(parts: Parts, by: 1 | -1): Promise<void> {
  const before = foundLines.getState().found;
  if (!before) return;
  const at = stepOf(before, by);
  if (at === null) return;
  const lines = await linesTo(before, at);
  // Another line or search may have been chosen while lines were loading.
  if (foundLines.getState().found !== before) return;
  if (lines[at]) showFound(parts, { ...before, lines, at });
  else foundLines.setState({ found: { ...before, lines } });
}
