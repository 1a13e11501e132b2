// A recorded process as an entry of the history.
import type { HistoryEntry } from '../../protocol/history.ts';
import type { StoredMeta } from '../record/stored-meta.ts';

export const entryOf = ({ info, recordedBytes, clientName = null }: StoredMeta): HistoryEntry => ({
  ...info,
  restartable: false,
  watchers: 0,
  watchedBy: [],
  controller: null,
  waitsForInput: false,
  recordedBytes,
  clientName,
});
