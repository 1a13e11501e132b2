// Handlers of console/* for the list of processes, the processes in view, tiles, usage and search.
import type { ProcessView } from '../keeper/process-view.ts';
import { redacted } from '../delivery/redacted-log.ts';
import { internal, invalidParams } from '../rpc/rpc-error.ts';
import { SearchRefused, SearchTimeout } from '../screens/search.ts';
import type { Methods } from '../sessions/peer.ts';
import { Usage } from '../monitor/usage.ts';
import type { Console } from '../console/console.ts';
import { ownResult } from '../console/guests.ts';
import { seesSecrets } from '../console/redacted.ts';

type ConsoleMethods = Pick<Methods, `console/${'usage' | 'tiles' | 'look' | 'search' | 'watch' | 'unwatch'}`>;

export function consoleMethods(console: Console): ConsoleMethods {
  return {
    'console/usage': ({ keys, tree = null }, peer) => {
      console.desk(peer).lookAtUsage({ processes: existing(console, keys), tree }, console.usage);
      return { supported: Usage.isSupported };
    },
    'console/tiles': ({ keys }, peer) => {
      console.desk(peer).lookAtTiles(existing(console, keys), console.tiles);
      return {};
    },
    'console/look': ({ keys, isHidden }, peer) => {
      console.desk(peer).look(isHidden ? null : existing(console, keys));
      return {};
    },
    'console/search': async ({ query, regex, caseSensitive, keys }, peer) => {
      const wanted = keys && new Set(keys);
      const processes = console.directory.all().filter(({ key }) => wanted?.has(key) ?? true);
      try {
        return await console.desk(peer).search(() =>
          console.search.search({
            // All guests of one share link have one budget.
            who: peer.identity.share?.id ?? peer.identity.tokenId,
            processes: processes.toReversed(),
            query: { text: query, isRegex: regex ?? false, isCaseSensitive: caseSensitive ?? false },
            isAborted: () => peer.connection.isEnding,
            // Callers who must not see secrets search redacted output, because hits would otherwise let them guess
            // secrets letter by letter.
            outputOf: (log) =>
              (seesSecrets(peer.identity) ? log : redacted(log)).tail(Number.POSITIVE_INFINITY),
            isRedacted: !seesSecrets(peer.identity),
          }),
        );
      } catch (error) {
        if (error instanceof SearchRefused)
          throw invalidParams(`console/search: params.query: ${error.message}`);
        if (error instanceof SearchTimeout) throw internal(`console/search: ${error.message}`);
        throw error;
      }
    },
    'console/watch': (params, peer) => {
      console.waiting.begin();
      console.desk(peer).watch(params?.isBrief ?? false, console.changes);
      return ownResult(console.snapshot(params?.sinceChange), peer);
    },
    'console/unwatch': (_params, peer) => {
      console.desk(peer).unwatch();
      return {};
    },
  };
}

/** Returns the processes that still exist; some may have been removed before the request arrived. */
function existing(console: Console, keys: readonly string[]): ProcessView[] {
  return keys.flatMap((key) => console.directory.get(key) ?? []);
}
