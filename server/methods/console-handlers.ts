// The methods of the console: everything addressed by `key`, and console/*.
import type { Requests } from '../../protocol/methods.ts';
import { TERMINATE_GRACE_MS, type ConsoleChanged } from '../../protocol/console.ts';
import { WINDOW_BYTES } from '../../protocol/console-constants.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { ChildSpec } from '../host/child.ts';
import type { Process } from '../keeper/process.ts';
import { readByKey, waitForEnd, whenNews } from '../keeper/read.ts';
import { redacted, redactedBytes } from '../delivery/redacted-log.ts';
import { internal, invalidParams, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import { SearchRefused } from '../screens/search.ts';
import { ownMethods, resize, startOwn, write } from '../sessions/handlers.ts';
import type { Method, Methods, Peer } from '../sessions/peer.ts';
import { childSpec, shownMetadata, type StartRules, whenLookedUp } from '../sessions/start.ts';
import { Usage } from '../monitor/usage.ts';
import type { Console } from '../console/console.ts';
import type { Desk } from '../console/desk.ts';
import { showsChanges, shownResult } from '../console/one-process.ts';
import { redactedChange, redactedResult, seenBy, seesSecrets } from '../console/redacted.ts';

type ByKey<M extends keyof Requests> = Extract<Requests[M]['params'], { key: string }>;

/** All methods but the environment's: what has a `key` is answered here, the rest by the peer's own session. */
export function consoleMethods(
  console: Console,
  rules: StartRules,
): Pick<
  Methods,
  Extract<
    keyof Methods,
    `process/${string}` | `console/${'usage' | 'tiles' | 'look' | 'search' | 'watch' | 'unwatch'}`
  >
> {
  const start: Method<'process/start'> = (asked, peer) => {
    const params = console.restarts.likeItsModel(asked, (key) => console.process(key));
    const checkRoom = (): void =>
      console.checkRoom(
        params.session === 'console' ? console.sessions.console : peer.session,
        peer.identity,
      );
    checkRoom();
    return whenLookedUp(childSpec(params, rules), peer, (spec) => {
      checkRoom();
      const process =
        params.session === 'console'
          ? startOnConsole(console, params, peer, { spec })
          : startOwn(params, peer, spec);
      console.restarts.keep(process.key, params, peer.identity.tokenId);
      return startResult(process);
    });
  };

  const restart: Method<'process/restart'> = ({ key, newProcessId, size, windowBytes }, peer) => {
    const process = console.process(key);
    if (!process.exit) throw invalidRequest(`process ${key} still runs: end it before you restart it`);
    const kept = console.restarts.paramsOf(process);
    if (!kept) throw invalidRequest(`how process ${key} was started is not kept any more`);
    console.checkRoom(console.sessions.console, peer.identity);
    const params = {
      ...kept,
      processId: newProcessId,
      session: 'console',
      ...(size && { size }),
      windowBytes,
    } as const;
    return whenLookedUp(childSpec(params, rules), peer, (spec) => {
      console.checkRoom(console.sessions.console, peer.identity);
      const restarted = startOnConsole(console, params, peer, { spec, restartOf: key });
      console.restarts.keep(restarted.key, params, peer.identity.tokenId);
      process.restarted(peer.identity.name);
      return startResult(restarted);
    });
  };

  const find = (key: string): Process | undefined => console.directory.get(key);

  return {
    'process/start': start,
    'process/restart': restart,
    'process/read': (params, peer) => {
      if (!('key' in params)) return ownMethods.read(params, peer);
      const process = console.process(params.key);
      return whenNews(process, params, peer.connection, () =>
        readByKey(process, params, seenBy(peer.identity, process)),
      );
    },
    'process/write': (params, peer) => {
      if (!('key' in params)) return ownMethods.write(params, peer);
      return write(console.process(params.key), params, peer);
    },
    'process/signal': (params, peer) => {
      if (!('key' in params)) return ownMethods.signal(params, peer);
      console.process(params.key).signal(params.signal, peer.identity.name);
      return {};
    },
    'process/terminate': (params, peer) => {
      if (!('key' in params)) return ownMethods.terminate(params, peer);
      const graceMs = params.graceMs ?? TERMINATE_GRACE_MS;
      const isEscapedToo = params.escaped ?? false;
      return console.process(params.key).terminate(graceMs, peer.identity.name, { isEscapedToo });
    },
    'process/resize': (params, peer) => {
      if (!('key' in params)) return ownMethods.resize(params, peer);
      return resizeByKey(console, params, peer);
    },
    'process/closeStdin': (params, peer) => {
      if (!('key' in params)) return ownMethods.closeStdin(params, peer);
      return { status: console.process(params.key).closeStdin(peer.identity.name) };
    },
    'process/wait': (params, peer) => {
      if (!('key' in params)) return ownMethods.wait(params, peer);
      const process = console.process(params.key);
      return waitForEnd(process, params.until ?? 'closed', params.waitMs, peer.connection);
    },
    'process/attach': (params, peer) => {
      const process = console.process(params.key);
      if (process.description.session === peer.session.label) {
        throw new RpcError(
          ErrorCode.alreadyAttached,
          `process ${params.key} is of your own session: its events come anyway`,
        );
      }
      return console.desk(peer).attach(process, {
        windowBytes: params.windowBytes ?? WINDOW_BYTES.default,
        ...(typeof params.afterSeq === 'number' && { afterSeq: params.afterSeq }),
      });
    },
    'process/detach': ({ key }, peer) => {
      attachedDesk(console, key, peer).detach(key);
      return {};
    },
    'process/ack': ({ key, seq }, peer) => {
      attachedDesk(console, key, peer).acknowledge(key, seq);
      return {};
    },
    'process/control': (params, peer) => {
      const process = console.process(params.key);
      if (params.take) console.takeControl(process, receiver(console, params.to, peer));
      else console.desk(peer).release(process);
      return {};
    },
    'process/snapshot': async ({ key, scrollback }, peer) => {
      const process = console.process(key);
      if (!process.size) throw new RpcError(ErrorCode.noTty, `process ${key} has no terminal`);
      const snapshot = await console.screens.snapshot(process, scrollback ?? null);
      if (!snapshot) throw internal(`the screen of process ${key} is not kept any more`);
      const { seq, size, data, isExact } = snapshot;
      const shown = seesSecrets(peer.identity)
        ? Buffer.from(data)
        : redactedBytes(data, redacted(process.log).open);
      return { seq, ...size, data: shown.toString('base64'), exact: isExact };
    },
    'console/usage': ({ keys }, peer) => {
      console.desk(peer).lookAtUsage(existing(console, keys), console.usage);
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
            // Whoever came by one link is one.
            who: peer.identity.share?.id ?? peer.identity.tokenId,
            processes: processes.toReversed(),
            query: { text: query, isRegex: regex ?? false, isCaseSensitive: caseSensitive ?? false },
            isAborted: () => peer.connection.isEnding,
            // What is covered is not found either: else it could be guessed, letter by letter.
            outputOf: (log) =>
              (seesSecrets(peer.identity) ? log : redacted(log)).tail(Number.POSITIVE_INFINITY),
            isRedacted: !seesSecrets(peer.identity),
          }),
        );
      } catch (error) {
        if (error instanceof SearchRefused)
          throw invalidParams(`console/search: params.query: ${error.message}`);
        throw error;
      }
    },
    'console/watch': (params, peer) => {
      console.waiting.begin();
      const narrowed = showsChanges(peer);
      const shown = (change: ConsoleChanged): ConsoleChanged | null =>
        narrowed(seesSecrets(peer.identity) ? change : redactedChange(change, find));
      console.desk(peer).watch(params?.isBrief ?? false, console.changes, shown);
      const all = console.snapshot(params?.sinceChange);
      return shownResult(seesSecrets(peer.identity) ? all : redactedResult(all, find), peer);
    },
    'console/unwatch': (_params, peer) => {
      console.desk(peer).unwatch();
      return {};
    },
  };
}

/** Who is to have control: the one who asks, or one who watches and may have it. */
function receiver(console: Console, to: string | undefined, peer: Peer): Peer {
  if (to === undefined || to === peer.label) return peer;
  const other = console.watcher(to);
  if (other?.mayCall('process/control', true)) return other;
  const why = other ? `${other.identity.name} may only look` : `no connection ${to.slice(0, 80)} watches`;
  throw invalidParams(`process/control: params.to: ${why}`);
}

/** An attachment outlasts the record of its process; what is not attached must exist. */
function attachedDesk(console: Console, key: string, peer: Peer): Desk {
  const desk = console.desk(peer);
  if (!desk.isAttached(key)) console.process(key);
  return desk;
}

/** Who names many may name some that have gone meanwhile. */
function existing(console: Console, keys: readonly string[]): Process[] {
  return keys.flatMap((key) => console.directory.get(key) ?? []);
}

function startResult({ processId, spec, key }: Process): Requests['process/start']['result'] {
  return { processId, sandboxType: spec.sandbox?.type ?? 'none', key };
}

/** The caller gets everything from its first byte on, and is in control. */
function startOnConsole(
  console: Console,
  params: Requests['process/start']['params'],
  peer: Peer,
  { spec, restartOf = null }: { readonly spec: ChildSpec; readonly restartOf?: string | null },
): Process {
  const desk = console.desk(peer);
  desk.checkRoom();
  const started = console.sessions.console.start(
    {
      processId: params.processId,
      startedBy: peer.identity.name,
      starter: peer.identity,
      metadata: shownMetadata(params.metadata),
      label: params.label ?? null,
      restartOf,
    },
    spec,
  );
  const windowBytes = params.windowBytes ?? WINDOW_BYTES.default;
  desk.attach(started, { windowBytes, afterSeq: 0 });
  console.takeControl(started, peer);
  return started;
}

function resizeByKey(console: Console, params: ByKey<'process/resize'>, peer: Peer) {
  const process = console.process(params.key);
  if (process.size && process.controller !== peer.label) {
    throw new RpcError(
      ErrorCode.notController,
      `process ${params.key} is controlled by ${process.controller ?? 'nobody'}`,
    );
  }
  resize(process, params);
  return {};
}
