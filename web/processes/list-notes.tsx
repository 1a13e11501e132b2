// The rows of the list that are no process and no agent: what needs a person, how many more do, and what is folded.
import { ChevronDown, ChevronRight, Hand } from 'lucide-react';
import { waitText } from './process-counts.ts';
import type { Needing } from './process-groups.ts';
import type { RowProps } from './row-props.ts';

interface NeedingRowProps {
  readonly needing: Needing;
  readonly isCollapsed: boolean;
  readonly row: RowProps;
  readonly onTurn: () => void;
}

export function NeedingRow({ needing, isCollapsed, row, onTurn }: NeedingRowProps) {
  const { waiting, failed, moreFailed } = needing;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const counts = [waitText(waiting), failed > 0 ? `${failed + moreFailed} failed` : null];
  return (
    <div {...row} className="process-group-title needing" aria-expanded={!isCollapsed} onClick={onTurn}>
      <span role="gridcell">
        <Chevron size={14} aria-hidden="true" />
        <span className="process-group-name">Needs you</span>
        <Hand size={13} aria-hidden="true" />
        <span className="process-group-counts">{counts.filter(Boolean).join(' · ')}</span>
      </span>
    </div>
  );
}

interface MoreFailedRowProps {
  readonly count: number;
  readonly row: RowProps;
  readonly onShow: () => void;
}

export function MoreFailedRow({ count, row, onShow }: MoreFailedRowProps) {
  return (
    <div {...row} className="process-list-note" title="Shows everything that failed" onClick={onShow}>
      <span role="gridcell">and {count} more failed</span>
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
        {count} more finished
      </span>
    </div>
  );
}
