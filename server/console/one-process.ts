// Who was shown one process: it exists for them, and they themselves, and nothing and nobody else. All of that is here,
// member by member: what is not listed is not told.
import type { Identity } from '../policy/identity.ts';
import type { Person } from '../../protocol/activity.ts';
import type {
  Act,
  ConsoleChanged,
  GatewayHealth,
  PrintedInfo,
  ProcessInfo,
  SessionInfo,
  WatchResult,
} from '../../protocol/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import type { EnvironmentInfo } from '../../protocol/session.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { CHANGES_PER_MS } from './activity-log.ts';
import { unknownKey } from './directory.ts';

/** How such a request names its process. A method that is not here does not exist for them. */
const NAMES_IT_BY: { readonly [M in RequestMethod]?: 'key' | 'keys' | 'nothing' } = {
  'process/read': 'key',
  'process/attach': 'key',
  'process/detach': 'key',
  'process/ack': 'key',
  'process/wait': 'key',
  'process/snapshot': 'key',
  'console/usage': 'keys',
  'console/tiles': 'keys',
  'console/look': 'keys',
  'console/search': 'keys',
  'console/watch': 'nothing',
  'console/unwatch': 'nothing',
  // By it a page finds out whether anybody is still there.
  'environment/status': 'nothing',
};

/** In the place of everybody's name but the gateway's. */
const SOMEBODY = 'somebody';

const NO_SANDBOX = 'none';
/** In the place of a policy in words, which names folders. */
const SOME_SANDBOX = 'restricted';

/** Null = everything may be known. */
const onlyKeyOf = ({ share }: Identity): string | null => share?.key ?? null;

/** The params as they are to be taken; throws as for what does not exist. */
export function paramsFor(identity: Identity, method: RequestMethod, params: unknown): unknown {
  const onlyKey = onlyKeyOf(identity);
  if (onlyKey === null) return params;
  switch (NAMES_IT_BY[method]) {
    case 'key': {
      const { key } = params as { key: string };
      if (key !== onlyKey) throw unknownKey(key);
      return params;
    }
    case 'keys': {
      const { keys } = params as { keys?: readonly string[] };
      return { ...(params as object), keys: (keys ?? [onlyKey]).filter((key) => key === onlyKey) };
    }
    case 'nothing':
      return params;
    case undefined:
      throw new RpcError(ErrorCode.forbidden, `who was shown one process may not call ${method}`);
  }
}

/** Who looks: by which connection, as whom. */
export interface Onlooker {
  readonly identity: Identity;
  readonly label: string;
}

export function shownResult(all: WatchResult, onlooker: Onlooker): WatchResult {
  if (onlyKeyOf(onlooker.identity) === null) return all;
  const { gateway, people, sessions, processes } = narrow(all, onlooker);
  // What happened before they came is in the process itself.
  return { gateway, people, activity: NOTHING_YET, sessions, processes };
}

/** As far as one onlooker may know it, change after change; null when nothing of it is for these eyes. */
export function showsChanges(onlooker: Onlooker): (change: ConsoleChanged) => ConsoleChanged | null {
  const nextChange = ownChanges();
  return (change) => shownChange(change, onlooker, nextChange);
}

function shownChange(
  change: ConsoleChanged,
  onlooker: Onlooker,
  nextChange: () => number,
): ConsoleChanged | null {
  const onlyKey = onlyKeyOf(onlooker.identity);
  if (onlyKey === null) return change;
  const { processes = [], printed = [], activity, removed } = change;
  const seen = narrow({ processes, people: [], sessions: [], gateway: HEALTHY }, onlooker).processes;
  const told = activity && narrowActivity(activity, onlooker, nextChange);
  const printedHere = printed.filter(({ key }) => key === onlyKey).map(ownPrinted);
  const shown: ConsoleChanged = {
    ...(seen.length > 0 && { processes: seen }),
    ...(printedHere.length > 0 && { printed: printedHere }),
    ...(told && told.entries.length > 0 && { activity: told }),
    ...(removed?.keys.includes(onlyKey) && { removed: { keys: [onlyKey], sessions: [] } }),
  };
  return Object.keys(shown).length > 0 ? shown : null;
}

const HEALTHY: GatewayHealth = { status: 'ok', reasons: [] };

/** How the gateway is names its folders, and says nothing of the process. */
export function shownHealth(health: GatewayHealth, identity: Identity): GatewayHealth {
  return onlyKeyOf(identity) === null ? health : HEALTHY;
}

/** Without the machine's folders. */
export function shownEnvironment(info: EnvironmentInfo, identity: Identity): EnvironmentInfo {
  if (onlyKeyOf(identity) === null) return info;
  const root = 'file:///';
  return {
    shell: { name: '', path: '' },
    executorVersion: info.executorVersion,
    providerId: '',
    cwd: root,
    userHomeDir: root,
    platformOs: info.platformOs,
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: root,
    capabilities: info.capabilities,
  };
}

type Narrowed = Pick<WatchResult, 'gateway' | 'people' | 'processes'> & {
  readonly sessions: readonly SessionInfo[];
};

function narrow({ people, processes }: Narrowed, { identity, label }: Onlooker): Narrowed {
  const onlyKey = onlyKeyOf(identity);
  return {
    gateway: HEALTHY,
    people: people.filter(({ connection }) => connection === label).map(ownPerson),
    sessions: [],
    processes: processes.filter(({ key }) => key === onlyKey).map((info) => ownInfo(info, label)),
  };
}

const NOTHING_YET: WatchResult['activity'] = { change: 0, entries: [], isComplete: true };

/** By the numbers of all one could count what else goes on. As those they never come again, also to who comes back. */
function ownChanges(): () => number {
  let change = Date.now() * CHANGES_PER_MS;
  return () => (change += 1);
}

function narrowActivity(
  { entries }: WatchResult['activity'],
  { identity }: Onlooker,
  nextChange: () => number,
): WatchResult['activity'] {
  const own = entries
    .filter(({ key }) => key === onlyKeyOf(identity))
    .map(({ atMs, key, what, text }) => ({
      change: nextChange(),
      atMs,
      key,
      what,
      ...(text !== undefined && { text }),
    }));
  return { change: own.at(-1)?.change ?? 0, entries: own, isComplete: true };
}

const ownPerson = ({ connection, token, name, role, sinceMs }: Person): Person => ({
  connection,
  token,
  name,
  role,
  sinceMs,
});

/** The process, and nobody's name, connection or session beside it; and of its sandbox no path, which are others'. */
function ownInfo(info: ProcessInfo, label: string): ProcessInfo {
  const watchedBy = info.watchedBy.filter((each) => each === label);
  const { size, notification, endedBy } = info;
  return {
    ...ownPrinted(info),
    processId: info.processId,
    session: '',
    startedBy: SOMEBODY,
    metadata: {},
    label: info.label,
    restartOf: null,
    restartable: false,
    argv: info.argv,
    cwd: info.cwd,
    tty: info.tty,
    pipeStdin: info.pipeStdin,
    pid: info.pid,
    size: size && { rows: size.rows, cols: size.cols },
    sandbox: info.sandbox === NO_SANDBOX ? NO_SANDBOX : SOME_SANDBOX,
    state: info.state,
    exitCode: info.exitCode,
    signal: info.signal,
    sandboxDenied: info.sandboxDenied,
    startedAtMs: info.startedAtMs,
    exitedAtMs: info.exitedAtMs,
    terminatingSinceMs: info.terminatingSinceMs,
    killAtMs: info.killAtMs,
    survivors: info.survivors.map(({ pid, name }) => ({ pid, name })),
    escaped: info.escaped.map(({ pid, name }) => ({ pid, name })),
    allEndedAtMs: info.allEndedAtMs,
    outputHeld: info.outputHeld,
    bellAtMs: info.bellAtMs,
    notification: notification && { text: notification.text, atMs: notification.atMs },
    waitsForInput: info.waitsForInput,
    watchers: watchedBy.length,
    watchedBy,
    controller: null,
    acts: info.acts.map((act) => ({ ...ownAct(act), afterSeq: act.afterSeq })),
    endedBy: endedBy && { ...ownAct(endedBy), how: endedBy.how },
  };
}

function ownPrinted(info: PrintedInfo): PrintedInfo {
  const { lastInput, progress } = info;
  return {
    key: info.key,
    lastOutputAtMs: info.lastOutputAtMs,
    lastInput: lastInput && { session: '', who: SOMEBODY, atMs: lastInput.atMs },
    outputBytes: info.outputBytes,
    nextSeq: info.nextSeq,
    firstRetainedSeq: info.firstRetainedSeq,
    title: info.title,
    lastLine: info.lastLine,
    progress: progress && { state: progress.state, percent: progress.percent },
  };
}

const ownAct = ({ who, how, atMs }: Act): Act => ({ who: who === 'gateway' ? who : SOMEBODY, how, atMs });
