// Selected range of a timeline in words, with its actions.
import { clockText, dateTimeText, durationText, numberText } from '../../../text/amounts.ts';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { statusOf } from '../../../text/process-words.ts';
import { lengthOf, padded, type TimeSpan } from '../../state/timeline/timeline-view.ts';

interface RangeLineProps {
  readonly range: TimeSpan;
  /** Processes in the range; null while a search limited to it is shown. */
  readonly within: readonly HistoryEntry[] | null;
  readonly onZoom: (view: TimeSpan) => void;
  readonly onClear: () => void;
}

export function RangeLine({ range, within, onZoom, onClear }: RangeLineProps) {
  const isOneDay = dateTimeText(range.fromMs).slice(0, 10) === dateTimeText(range.toMs).slice(0, 10);
  const end = isOneDay ? clockText(range.toMs, true) : dateTimeText(range.toMs);
  return (
    <p className="timeline-range" role="status" aria-label="Selected range">
      <span>
        {within ? null : 'Searched: '}
        {dateTimeText(range.fromMs)} to {end} ({durationText(lengthOf(range))})
        {within ? ` · ${countText(within)}` : null}
      </span>
      {within ? (
        <button type="button" className="link-button" onClick={() => onZoom(padded(range))}>
          Zoom to range
        </button>
      ) : null}
      <button type="button" className="link-button" onClick={onClear}>
        Clear range
      </button>
    </p>
  );
}

function countText(within: readonly HistoryEntry[]): string {
  const failed = within.filter((entry) => statusOf(entry) === 'failed').length;
  const count = within.length === 1 ? '1 process' : `${numberText(within.length)} processes`;
  return failed > 0 ? `${count}, ${numberText(failed)} failed` : count;
}
