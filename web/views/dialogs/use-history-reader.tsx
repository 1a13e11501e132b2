// History reader of one view, stopped when the view closes. A reader whose results are being stepped through is reused.
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { HistoryReader, type HistoryFilter } from '../../state/processes/history-reader.ts';
import { foundLines } from '../../state/processes/found-lines.ts';
import { processStore } from '../../state/processes/process-store.ts';
import type { SearchQuery } from '../../state/processes/search-query.ts';
import { whyNot } from '../../state/processes/why-not-start.ts';

/** Pause in typing before a search starts. */
const SEARCH_AFTER_MS = 300;

/** Returns a new reader for each filter, query and connection, unless one in use has the same filter and query. */
export function useHistoryReader(filter: HistoryFilter, query: SearchQuery): HistoryReader {
  const { client } = useConsole();
  const connection = useStore(processStore, (state) =>
    state.connection.kind === 'online' ? state.connection.connection : null,
  );
  const refusal = useStore(processStore, (state) => whyNot(state.connection, 'history cannot be read'));
  const reader = useMemo(
    () =>
      readerInUse(filter, query) ??
      new HistoryReader(
        (method, params) =>
          connection === null
            ? Promise.reject(new Error(refusal ?? 'offline'))
            : client.connection.request(method, params),
        filter,
        query,
      ),
    [client, filter, query, connection, refusal],
  );
  useEffect(
    () =>
      client.processes.onChanged(({ recordingsRemoved }) => {
        if (recordingsRemoved) reader.drop(recordingsRemoved);
      }),
    [client, reader],
  );
  useEffect(() => {
    // A reader in use already has results; the person decides whether the search continues.
    const isNew = reader.current().hits.length === 0;
    const timer = isNew
      ? setTimeout(() => void reader.more(), query.text === '' ? 0 : SEARCH_AFTER_MS)
      : undefined;
    return () => {
      clearTimeout(timer);
      reader.stop();
    };
  }, [reader, query]);
  return reader;
}

/** Returns the reader whose results are being stepped through, if it has the same filter and query. */
function readerInUse(filter: HistoryFilter, query: SearchQuery): HistoryReader | null {
  const reader = foundLines.getState().found?.reader ?? null;
  return reader?.reads(filter, query) ? reader : null;
}
