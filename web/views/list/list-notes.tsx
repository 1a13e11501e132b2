// Rows of the list that fold processes: those that need attention, further failures, and older finished ones.
import { ChevronDown, ChevronRight, Hand } from 'lucide-react';
import { countText } from '../../state/processes/process-counts.ts';
import type { Needing } from '../../state/processes/process-groups.ts';
import type { RowProps } from '../../state/processes/row-props.ts';

interface NeedingRowProps {
  readonly needing: Needing;
  readonly isCollapsed: boolean;
  readonly row: RowProps;
  readonly onTurn: () => void;
}

export function NeedingRow({ needing, isCollapsed, row, onTurn }: NeedingRowProps) {
  const { waiting, notified, failed } = needing;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const counts = [
    countText(waiting, 'waiting'),
    countText(notified, 'notified'),
    countText(failed, 'failed'),
  ];
  return (
    <div {...row} className="process-group-title needing" aria-expanded={!isCollapsed} onClick={onTurn}>
      <span role="gridcell">
        <Chevron size={14} aria-hidden="true" />
        <span className="process-group-name">Needs attention</span>
        <Hand size={13} aria-hidden="true" />
        <span className="process-group-counts">{counts.filter(Boolean).join(' · ')}</span>
      </span>
    </div>
  );
}

interface MoreFailedRowProps extends OlderRowProps {
  /** True when no failure is shown above the fold. */
  readonly isAll: boolean;
  readonly onSeen: () => void;
}

export function MoreFailedRow({ count, isAll, isCollapsed, row, onTurn, onSeen }: MoreFailedRowProps) {
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <div {...row} className="process-list-note" aria-expanded={!isCollapsed} onClick={onTurn}>
      <span role="gridcell">
        <Chevron size={14} aria-hidden="true" />
        {countText(count, isAll ? 'failed' : 'more failed')}
      </span>
      <span role="gridcell">
        <button
          type="button"
          className="link-button"
          tabIndex={row.tabIndex}
          title="Marks all failures and notifications as seen; the processes stay listed"
          onClick={(event) => {
            event.stopPropagation();
            onSeen();
          }}
        >
          Mark all as seen
        </button>
      </span>
    </div>
  );
}

interface OlderRowProps {
  readonly count: number;
  readonly isCollapsed: boolean;
  readonly row: RowProps;
  readonly onTurn: () => void;
}

export function OlderRow({ count, isCollapsed, row, onTurn }: OlderRowProps) {
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <div {...row} className="process-list-note" aria-expanded={!isCollapsed} onClick={onTurn}>
      <span role="gridcell">
        <Chevron size={14} aria-hidden="true" />
        {countText(count, 'more finished')}
      </span>
    </div>
  );
}
