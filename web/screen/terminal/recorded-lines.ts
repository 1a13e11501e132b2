// Requests for the recorded lines of a process and for those that match a query.
import type { Connection } from '../../../client/exec-client.ts';
import type { LogViewOptions } from '../log/log-view-options.ts';

export const recordedLines = (
  connection: Pick<Connection, 'request'>,
  key: string,
): Pick<LogViewOptions, 'ask' | 'askMatches'> => ({
  ask: (query) => connection.request('process/lines', { key, ...query }),
  askMatches: async ({ text, isRegex, isCaseSensitive }, from) => {
    const { hits, ...page } = await connection.request('console/historySearch', {
      key,
      query: text,
      regex: isRegex,
      caseSensitive: isCaseSensitive,
      ...(from !== null && { before: from }),
    });
    return { offsets: hits.map(({ offset }) => offset), ...page };
  },
});
