// Line above the rows: counts, cleared processes with an undo button, and the order.
import { Activity, ListChecks } from 'lucide-react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { pressedStore } from '../../commands/armed.ts';
import { selectionStore, toggleTapping } from '../../state/ending/selection.ts';
import { clearFinished, undoClear } from '../../state/processes/cleared-processes.ts';
import { countText, type StatusCounts } from '../../state/processes/process-counts.ts';
import { listOrder } from '../../state/processes/list-order.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotMeasure } from '../../state/processes/why-not-start.ts';
import { numberText } from '../../../text/amounts.ts';

interface ListSummaryProps {
  /** Number of listed processes, regardless of the filter. */
  readonly total: number;
  readonly counts: StatusCounts;
  /** Number of listed processes that can be cleared. */
  readonly finished: number;
  readonly cleared: number;
  /** Number of processes that match the filter; null without a filter. */
  readonly matching: number | null;
  readonly isBusiest: boolean;
  readonly onBusiest: () => void;
  readonly onShowAll: () => void;
}

export function ListSummary(props: ListSummaryProps) {
  const { total, counts, finished, cleared, matching, isBusiest, onBusiest, onShowAll } = props;
  const { running, waiting: asking } = counts;
  const isMeasuring = useStore(listOrder, (state) => state.isMeasuring);
  const waiting = useStore(pressedStore, (state) => state.waiting);
  const refusal = useStore(processStore, ({ connection }) => whyNotMeasure(connection));
  const measuring = refusal === null ? 'Measuring CPU' : 'CPU usage unavailable';
  return (
    <div className="process-list-summary">
      {isMeasuring ? (
        <span role="status" title={refusal ?? undefined}>
          {[measuring, waiting.join(' ')].filter(Boolean).join(', then ')}
        </span>
      ) : matching === null && isBusiest ? (
        <span>
          {[`${numberText(running)} running`, countText(asking, 'waiting')].filter(Boolean).join(' · ')}
        </span>
      ) : matching === null ? (
        <Clearing finished={finished} cleared={cleared} />
      ) : (
        <>
          <span>
            {numberText(matching)} of {numberText(total)} shown
          </span>
          {/* The “no matches” note already has a button that shows all. */}
          {matching === 0 ? null : (
            <button type="button" className="link-button" onClick={onShowAll}>
              Show all
            </button>
          )}
        </>
      )}
      <SelectToggle />
      <button
        type="button"
        className="toggle"
        aria-pressed={isBusiest}
        aria-keyshortcuts="b"
        // Returning to the grouped order is always possible, since it requires no CPU usage from the gateway.
        disabled={refusal !== null && !isBusiest}
        title={(isBusiest ? null : refusal) ?? 'Sort running processes by CPU usage (b)'}
        onClick={onBusiest}
      >
        <Activity size={13} aria-hidden="true" />
        Busiest first
        <kbd aria-hidden="true">b</kbd>
      </button>
    </div>
  );
}

/** Toggle for touch devices: while it is on, a tap selects. */
function SelectToggle() {
  const isTapping = useStore(selectionStore, (state) => state.isTapping);
  const mayChoose = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!mayChoose) return null;
  return (
    <button type="button" className="toggle select" aria-pressed={isTapping} onClick={toggleTapping}>
      <ListChecks size={13} aria-hidden="true" />
      Select
    </button>
  );
}

interface ClearingProps {
  readonly finished: number;
  readonly cleared: number;
}

function Clearing({ finished, cleared }: ClearingProps) {
  // One button clears and undoes, so that the focus stays on the button that undoes the last action.
  const clears = finished > 0;
  return (
    <>
      {cleared > 0 ? <span>{numberText(cleared)} cleared</span> : null}
      {clears || cleared > 0 ? (
        <button
          type="button"
          className="link-button"
          title={
            clears
              ? 'Hides finished processes in this browser; the gateway retains them'
              : 'Shows the last cleared processes again'
          }
          onClick={clears ? () => clearFinished(Object.values(processStore.getState().processes)) : undoClear}
        >
          {clears ? `Clear ${numberText(finished)} finished` : 'Undo'}
        </button>
      ) : null}
      {clears && cleared > 0 ? (
        <button
          type="button"
          className="link-button"
          title="Shows the last cleared processes again"
          onClick={undoClear}
        >
          Undo
        </button>
      ) : null}
    </>
  );
}
