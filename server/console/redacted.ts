// What those are told who may only look: what is listed here, member by member, with the secrets in it covered. A member
// that is new is nothing for them until somebody has listed it.
import type { Identity } from '../policy/identity.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { lastLine, LAST_LINE_BYTES } from '../keeper/last-line.ts';
import { coveredLine } from '../../text/plain-text.ts';
import type { Process } from '../keeper/process.ts';
import type { Activity, ActivitySince, Person } from '../../protocol/activity.ts';
import type {
  ConsoleChanged,
  GatewayHealth,
  OsProcessName,
  PrintedInfo,
  ProcessInfo,
  SessionInfo,
  WatchResult,
} from '../../protocol/console.ts';
import { masked } from '../../text/masking.ts';
import { redacted } from '../delivery/redacted-log.ts';

/** For owners and operators nothing is covered: they can have it all from the process itself. */
export const seesSecrets = ({ role }: Identity): boolean => role !== 'observer';

/** What a reader of this process gets of each chunk. */
export const seenBy = (identity: Identity, { log }: Process): ((chunk: OutputEvent) => OutputEvent) =>
  seesSecrets(identity) ? (chunk) => chunk : (chunk) => redacted(log).see(chunk);

/** How much was printed when its last line was looked for. */
const lastLines = new WeakMap<Process, { readonly atBytes: number; readonly line: string | null }>();
const commands = new WeakMap<readonly string[], readonly string[]>();

export type Find = (key: string) => Process | undefined;

export function redactedResult(all: WatchResult, find: Find): WatchResult {
  return {
    gateway: listedHealth(all.gateway),
    people: all.people.map(listedPerson),
    activity: redactedActivities(all.activity),
    sessions: all.sessions.map(redactedSession),
    processes: all.processes.map((info) => redactedInfo(info, find)),
  };
}

export function redactedChange(change: ConsoleChanged, find: Find): ConsoleChanged {
  const { gateway, people, activity, sessions, processes, printed, removed } = change;
  return {
    ...(gateway && { gateway: listedHealth(gateway) }),
    ...(people && { people: people.map(listedPerson) }),
    ...(activity && { activity: redactedActivities(activity) }),
    ...(sessions && { sessions: sessions.map(redactedSession) }),
    ...(processes && { processes: processes.map((info) => redactedInfo(info, find)) }),
    ...(printed && { printed: printed.map((info) => redactedPrinted(info, find)) }),
    ...(removed && { removed: { keys: removed.keys, sessions: removed.sessions } }),
  };
}

const listedHealth = ({ status, reasons }: GatewayHealth): GatewayHealth => ({ status, reasons });

const listedPerson = ({ connection, token, name, role, sinceMs }: Person): Person => ({
  connection,
  token,
  name,
  role,
  sinceMs,
});

const redactedSession = (session: SessionInfo): SessionInfo => ({
  label: session.label,
  clientName: masked(session.clientName),
  startedBy: session.startedBy,
  attached: session.attached,
  connectedAtMs: session.connectedAtMs,
  detachedAtMs: session.detachedAtMs,
  processCount: session.processCount,
});

const redactedActivities = ({ change, entries, isComplete }: ActivitySince): ActivitySince => ({
  change,
  entries: entries.map(redactedActivity),
  isComplete,
});

const redactedActivity = ({ change, atMs, key, what, text }: Activity): Activity => ({
  change,
  atMs,
  key,
  what,
  ...(text !== undefined && { text: masked(text) }),
});

/** Made once for all who are told the same. */
const infos = new WeakMap<ProcessInfo, ProcessInfo>();
const printedInfos = new WeakMap<PrintedInfo, PrintedInfo>();

function redactedPrinted(info: PrintedInfo, find: Find): PrintedInfo {
  const known = printedInfos.get(info) ?? coveredPrinted(info, find);
  printedInfos.set(info, known);
  return known;
}

function redactedInfo(info: ProcessInfo, find: Find): ProcessInfo {
  const known = infos.get(info) ?? coveredInfo(info, find);
  infos.set(info, known);
  return known;
}

function coveredPrinted(info: PrintedInfo, find: Find): PrintedInfo {
  const process = find(info.key);
  const { lastInput, progress } = info;
  return {
    key: info.key,
    lastOutputAtMs: info.lastOutputAtMs,
    lastInput: lastInput && { session: lastInput.session, who: lastInput.who, atMs: lastInput.atMs },
    outputBytes: info.outputBytes,
    nextSeq: info.nextSeq,
    firstRetainedSeq: info.firstRetainedSeq,
    title: info.title && masked(info.title),
    lastLine:
      process && process.log.retainedBytes > 0
        ? redactedLastLine(process)
        : info.lastLine && masked(info.lastLine),
    progress: progress && { state: progress.state, percent: progress.percent },
  };
}

function coveredInfo(info: ProcessInfo, find: Find): ProcessInfo {
  const { notification, size, endedBy } = info;
  return {
    ...coveredPrinted(info, find),
    processId: masked(info.processId),
    session: info.session,
    startedBy: info.startedBy,
    metadata: Object.fromEntries(
      Object.entries(info.metadata).map(([name, value]) => [masked(name), masked(value)] as const),
    ),
    label: info.label && masked(info.label),
    restartOf: info.restartOf,
    restartable: info.restartable,
    argv: redactedCommand(info.argv),
    cwd: masked(info.cwd),
    tty: info.tty,
    pipeStdin: info.pipeStdin,
    pid: info.pid,
    size: size && { rows: size.rows, cols: size.cols },
    sandbox: masked(info.sandbox),
    state: info.state,
    exitCode: info.exitCode,
    signal: info.signal,
    sandboxDenied: info.sandboxDenied,
    startedAtMs: info.startedAtMs,
    exitedAtMs: info.exitedAtMs,
    terminatingSinceMs: info.terminatingSinceMs,
    killAtMs: info.killAtMs,
    survivors: info.survivors.map(redactedName),
    escaped: info.escaped.map(redactedName),
    allEndedAtMs: info.allEndedAtMs,
    outputHeld: info.outputHeld,
    bellAtMs: info.bellAtMs,
    notification: notification && { text: masked(notification.text), atMs: notification.atMs },
    waitsForInput: info.waitsForInput,
    watchers: info.watchers,
    watchedBy: info.watchedBy,
    controller: info.controller,
    acts: info.acts.map(({ who, how, atMs, afterSeq }) => ({ who, how, atMs, afterSeq })),
    endedBy: endedBy && { who: endedBy.who, how: endedBy.how, atMs: endedBy.atMs },
  };
}

const redactedName = ({ pid, name }: OsProcessName): OsProcessName => ({ pid, name: masked(name) });

function redactedCommand(argv: readonly string[]): readonly string[] {
  const known = commands.get(argv) ?? argv.map(masked);
  commands.set(argv, known);
  return known;
}

/** Its beginning may be cut off, and what makes a secret of it with that. */
function redactedLastLine(process: Process): string | null {
  const atBytes = process.log.totalBytes;
  const known = lastLines.get(process);
  if (known?.atBytes === atBytes) return known.line;
  const line = process.isFullScreen
    ? null
    : lastLine(redacted(process.log).tail(LAST_LINE_BYTES), (line) => coveredLine(line, masked));
  lastLines.set(process, { atBytes, line });
  return line;
}
