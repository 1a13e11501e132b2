// History reader of one view, stopped when the view closes.
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { HistoryReader, type HistoryFilter } from '../../state/processes/history-reader.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNot } from '../../state/processes/why-not-start.ts';

/** Pause in typing before a search starts. */
const SEARCH_AFTER_MS = 300;

/** Returns a new reader for each filter, query and connection. */
export function useHistoryReader(filter: HistoryFilter, text: string): HistoryReader {
  const { client } = useConsole();
  const connection = useStore(processStore, (state) =>
    state.connection.kind === 'online' ? state.connection.connection : null,
  );
  const refusal = useStore(processStore, (state) => whyNot(state.connection, 'history cannot be read'));
  const reader = useMemo(
    () =>
      new HistoryReader(
        (method, params) =>
          connection === null
            ? Promise.reject(new Error(refusal ?? 'offline'))
            : client.connection.request(method, params),
        filter,
        text,
      ),
    [client, filter, text, connection, refusal],
  );
  useEffect(() => {
    const timer = setTimeout(() => void reader.more(), text === '' ? 0 : SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      reader.stop();
    };
  }, [reader, text]);
  return reader;
}
