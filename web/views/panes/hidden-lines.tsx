// Effect of "stderr only" on a log and a button to undo it: a bar above the remaining lines, or a note if there are
// none.
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import type { HiddenLines } from '../../state/processes/terminal-state.ts';
import { showAllStreams } from '../../state/page/pipe-view.ts';
import { goToPane } from '../../state/layout/layout-store.ts';
import { SilentNote } from './silent-note.tsx';
import { countedText } from '../../../text/amounts.ts';

const hiddenText = ({ lines }: HiddenLines): string => `${countedText(lines, 'line')} hidden`;

const useHidden = (processKey: string): HiddenLines | null =>
  useStore(processStore, (state) => state.terminals[processKey]?.hidden ?? null);

export function HiddenLinesBar({ processKey }: { readonly processKey: string }) {
  const hidden = useHidden(processKey);
  if (!hidden || hidden.isAll) return null;
  return (
    <p role="status" className="pane-bar plain">
      <span>
        Only stderr{hidden.isPartial ? ' of the newest lines' : ''} is shown · {hiddenText(hidden)}
      </span>
      <ShowAll processKey={processKey} />
    </p>
  );
}

export function NoLineShown({ processKey }: { readonly processKey: string }) {
  const hidden = useHidden(processKey);
  if (!hidden?.isAll) return null;
  return (
    <SilentNote>
      {hidden.isPartial
        ? `Nothing on stderr in the newest ${countedText(hidden.lines, 'line')}; earlier lines are recorded, but not shown with this filter.`
        : `Nothing on stderr, ${hiddenText(hidden)}.`}{' '}
      <ShowAll processKey={processKey} />
    </SilentNote>
  );
}

function ShowAll({ processKey }: { readonly processKey: string }) {
  return (
    <button
      type="button"
      className="link-button"
      onClick={() => {
        showAllStreams(processKey);
        goToPane(processKey);
      }}
    >
      Show all lines
    </button>
  );
}
