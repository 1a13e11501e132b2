// Steps for the selection in the list, gentlest first.
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { climb } from '../../state/ending/climb.ts';
import { mayStep, STEP_NAME, type Step } from '../../state/ending/ladder.ts';
import { clearSelection, selectionStore } from '../../state/ending/selection.ts';
import { StepButton } from './step-button.tsx';
import { numberText } from '../../../text/amounts.ts';

const STEPS: readonly Step[] = ['interrupt', 'terminate', 'kill'];

export function SelectionBar() {
  const parts = useConsole();
  const { keys, isTapping } = useStore(selectionStore);
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const selected = useStore(
    processStore,
    useShallow(({ processes }) => keys.flatMap((key) => processes[key] ?? [])),
  );
  if (selected.length === 0 && !isTapping) return null;
  return (
    <div role="toolbar" aria-label="Selection" className="selection-bar">
      <span className="selection-count">
        {selected.length === 0 ? 'Tap a process to select it' : `${numberText(selected.length)} selected`}
      </span>
      {STEPS.filter((step) => selected.some((info) => mayStep(info, step))).map((step) => (
        <StepButton
          key={step}
          className={`ladder-no ${step === 'interrupt' ? 'interrupt' : 'danger'}`}
          label={STEP_NAME[step]}
          hint={`${STEP_NAME[step]} the selected ${selected.length === 1 ? 'process' : 'processes'}`}
          text={STEP_NAME[step]}
          disabled={!isOnline}
          onStep={() => climb(parts, { step, keys, place: 'list' }, showProblem)}
        />
      ))}
      {selected.length === 0 ? (
        <button type="button" className="ladder-no" onClick={clearSelection}>
          Done
        </button>
      ) : (
        <button
          type="button"
          className="ladder-no"
          aria-label="Clear selection"
          title="Clear selection"
          onClick={clearSelection}
        >
          Clear
        </button>
      )}
    </div>
  );
}
