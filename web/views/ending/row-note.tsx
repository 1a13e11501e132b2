// Note that covers part of a row or tile: the effect of pressing a key once more, or a confirmation.
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { pressedStore } from '../../commands/armed.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { Question } from './question.tsx';
import { objectText } from '../../state/ending/report.ts';

interface RowNoteProps {
  readonly place: 'row' | 'tile';
  readonly processKey: string;
  /** Moves the focus back to the row or tile. */
  readonly onAnswered: () => void;
}

export function RowNote({ place, processKey, onAnswered }: RowNoteProps) {
  return (
    <span className="row-note" onClick={(event) => event.stopPropagation()}>
      <Question place={place} processKey={processKey} onError={showProblem} onAnswered={onAnswered}>
        <AgainNote place={place} processKey={processKey} />
      </Question>
    </span>
  );
}

function AgainNote({ place, processKey }: Omit<RowNoteProps, 'onAnswered'>) {
  const armed = useStore(pressedStore, (state) =>
    state.armed?.subject === processKey && state.armed.place === place ? state.armed : null,
  );
  const infos = useStore(
    processStore,
    useShallow(({ processes }) => armed?.keys.map((key) => processes[key]) ?? []),
  );
  if (!armed) return null;
  return (
    <span className="row-again" role="status">
      Press <kbd>{armed.stroke}</kbd> again to {armed.verb}{' '}
      <span className="ladder-object">{objectText(infos)}</span>
    </span>
  );
}
