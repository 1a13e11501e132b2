// Handlers of console/history*: listing, searching and removing recorded processes.
import { seesSecrets } from '../console/redacted.ts';
import type { Console } from '../console/console.ts';
import type { Filter } from '../history/filter.ts';
import type { History } from '../history/history.ts';
import { SearchRefused } from '../history/segment-search.ts';
import { TaskTimeout } from '../history/tasks.ts';
import { internal, invalidParams } from '../rpc/rpc-error.ts';
import { masked } from '../../text/masking.ts';
import type { Methods, Peer } from '../sessions/peer.ts';
import { inRecordingTurn } from './recording-turns.ts';

type HistoryMethods = Pick<Methods, `console/history${'' | 'Search' | 'Remove'}`>;

const filterFor = ({ identity }: Peer): Pick<Filter, 'seen'> =>
  seesSecrets(identity) ? {} : { seen: masked };

/** `known` is null on a gateway without a state folder, which records nothing. */
export function historyMethods(known: History | null, console: Console): HistoryMethods {
  const history = (): History => {
    if (known) return known;
    throw internal('this gateway has no state folder, so nothing is recorded');
  };
  return {
    'console/history': (params, peer) =>
      inRecordingTurn(peer, () => history().list({ ...params, ...filterFor(peer) })),
    'console/historySearch': async ({ query, regex, caseSensitive, ...filter }, peer) => {
      try {
        return await console.desk(peer).search(() =>
          inRecordingTurn(peer, () =>
            history().search(
              { text: query, isRegex: regex ?? false, isCaseSensitive: caseSensitive ?? false },
              {
                filter: { ...filter, ...filterFor(peer) },
                isRedacted: !seesSecrets(peer.identity),
                isAborted: () => peer.connection.isEnding,
              },
            ),
          ),
        );
      } catch (error) {
        if (error instanceof SearchRefused)
          throw invalidParams(`console/historySearch: params.query: ${error.message}`);
        if (error instanceof TaskTimeout)
          throw internal(
            `console/historySearch: the search took ${error.message} for a few megabytes, because the machine is busy; try again later`,
          );
        throw error;
      }
    },
    'console/historyRemove': async ({ keys, ...rest }, { identity }) => {
      for (const key of keys ?? [])
        if (await history().isRunning(key))
          throw invalidParams(
            `console/historyRemove: process ${key} is still running: terminate it before you remove it`,
          );
      return history().remove({ keys, ...rest, who: identity.name });
    },
  };
}
