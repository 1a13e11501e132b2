// Selected range of a timeline in words, with its actions.
import { clockText, dateTimeText, durationText } from '../../../text/amounts.ts';
import { lengthOf, padded, type TimeSpan } from '../../state/timeline/timeline-view.ts';

interface RangeLineProps {
  readonly range: TimeSpan;
  readonly count: number;
  readonly failed: number;
  readonly onZoom: (view: TimeSpan) => void;
  readonly onClear: () => void;
}

export function RangeLine({ range, count, failed, onZoom, onClear }: RangeLineProps) {
  const isOneDay = dateTimeText(range.fromMs).slice(0, 10) === dateTimeText(range.toMs).slice(0, 10);
  const end = isOneDay ? clockText(range.toMs, true) : dateTimeText(range.toMs);
  return (
    <p className="timeline-range" role="status" aria-label="Chosen range">
      <span>
        {dateTimeText(range.fromMs)} to {end} ({durationText(lengthOf(range))}) ·{' '}
        {count === 1 ? '1 process' : `${count.toLocaleString('en')} processes`}
        {failed > 0 ? `, ${failed.toLocaleString('en')} failed` : ''}
      </span>
      <button type="button" className="link-button" onClick={() => onZoom(padded(range))}>
        Zoom to range
      </button>
      <button type="button" className="link-button" onClick={onClear}>
        Clear range
      </button>
    </p>
  );
}
