// Note that many recordings were removed while their processes are listed, with a button that reads the list again.
import type { HistoryReader, HistoryState } from '../../state/processes/history-reader.ts';

interface StaleNoteProps {
  readonly state: HistoryState;
  readonly reader: HistoryReader;
}

export function StaleNote({ state, reader }: StaleNoteProps) {
  if (!state.isStale) return null;
  return (
    <p role="alert" className="history-stale">
      <span>Many recordings were removed. Some of them may still be listed.</span>
      <button type="button" className="secondary small" onClick={() => void reader.reload()}>
        Reload
      </button>
    </p>
  );
}
