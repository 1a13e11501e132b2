// Method records of console/history*.
import * as ours from './history.ts';
import { admins, method, observers, result } from './method-record.ts';
import { each, only, shown, masked } from './seen.ts';
import { HISTORY_ENTRY } from './seen-shapes.ts';

export const historyRecords = {
  'console/history': method({
    params: ours.historyParams,
    result: result<ours.HistoryResult>(),
    roles: { own: observers, any: observers },
    guest: null,
    seen: only<ours.HistoryResult>({ processes: each(HISTORY_ENTRY), before: shown }),
    audit: null,
    samples: ({ key }) => ({ own: { limit: 10 }, any: { key } }),
  }),
  'console/historySearch': method({
    params: ours.historySearchParams,
    result: result<ours.HistorySearchResult>(),
    roles: { own: observers, any: observers },
    guest: null,
    seen: only<ours.HistorySearchResult>({
      hits: each(
        only<ours.HistoryHit>({
          key: shown,
          line: shown,
          isAfterGap: shown,
          text: masked,
          start: shown,
          end: shown,
          atMs: shown,
          offset: shown,
          seq: shown,
        }),
      ),
      processes: each(HISTORY_ENTRY),
      searchedBytes: shown,
      unreadableBytes: shown,
      totalBytes: shown,
      isComplete: shown,
      before: shown,
    }),
    audit: null,
    samples: ({ key }) => ({ own: { query: 'e' }, any: { key, query: 'e' } }),
  }),
  'console/historyRemove': method({
    params: ours.historyRemoveParams,
    result: result<ours.HistoryRemoveResult>(),
    roles: { own: admins, any: [] },
    guest: null,
    seen: null,
    audit: ({ keys, beforeMs, agent }, { removed, removedBytes }) => ({
      act: 'removeHistory',
      details: {
        ...(keys !== undefined && { keys: keys.join(' ') }),
        ...(beforeMs !== undefined && { beforeMs }),
        ...(agent !== undefined && { agent }),
        removed,
        removedBytes,
      },
    }),
    samples: () => ({ own: { keys: ['none'] }, harmless: { keys: [] } }),
  }),
};
