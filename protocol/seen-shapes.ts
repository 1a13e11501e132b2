// Members of the console's objects visible to observers and guests.
import type { Activity, ActivitySince, Person } from './activity.ts';
import { APPROVALS, APPROVAL_SETTINGS } from './seen-approvals.ts';
import type {
  Act,
  ConsoleChanged,
  EndedBy,
  OsProcessName,
  PlacedAct,
  PrintedInfo,
  ProcessInfo,
  RecordingsRemoved,
  SessionInfo,
  WatchResult,
} from './console.ts';
import { SOMEBODY } from './console-constants.ts';
import type { HistoryEntry } from './history.ts';
import type { GatewayHealth } from './health.ts';
import type { Size } from './scalars.ts';
import type { ConsoleInfo, EnvironmentInfo, InitializeResult } from './session.ts';
import {
  by,
  masked,
  each,
  forGuests,
  only,
  orNull,
  shown,
  type Eyes,
  type Listed,
  type Seen,
} from './seen.ts';

const NO_SANDBOX = 'none';
/** Description that guests of one process see of a sandbox, because the real one names folders. */
const SOME_SANDBOX = 'restricted';

const asItIs = <V>(value: V): V => value;
const own = (labels: readonly string[], { label }: Eyes): readonly string[] =>
  labels.filter((each) => each === label);

export const SIZE = only<Size>({ rows: shown, cols: shown });
const OS_PROCESS = only<OsProcessName>({ pid: shown, name: masked });
/** Rule for the name of a token; guests of one process see only the gateway's. */
export const WHO = by<string>(asItIs, (who) => (who === 'gateway' ? who : SOMEBODY));
const ACT = { who: WHO, how: shown, atMs: shown } satisfies Listed<Act>;

const PRINTED_MEMBERS: Listed<PrintedInfo> = {
  key: shown,
  lastOutputAtMs: shown,
  lastInput: orNull(
    only<NonNullable<PrintedInfo['lastInput']>>({
      session: forGuests(''),
      who: forGuests(SOMEBODY),
      atMs: shown,
    }),
  ),
  outputBytes: shown,
  nextSeq: shown,
  firstRetainedSeq: shown,
  title: masked,
  lastLine: by<string | null, PrintedInfo>((line, eyes, { key }) => eyes.maskedLine(key, line), asItIs),
  progress: orNull(only<NonNullable<PrintedInfo['progress']>>({ state: shown, percent: shown })),
};

/** Computes the observers' form once per object, since it is the same for all observers. */
function cached<T extends object>({ observer, guest }: Seen<T>): Seen<T> {
  const known = new WeakMap<T, T>();
  return by((value, eyes, whole) => {
    const seen = known.get(value) ?? observer(value, eyes, whole);
    known.set(value, seen);
    return seen;
  }, guest);
}

const PRINTED_INFO = cached(only<PrintedInfo>(PRINTED_MEMBERS));

const PROCESS_MEMBERS: Listed<ProcessInfo> = {
  ...(PRINTED_MEMBERS as Listed<ProcessInfo>),
  processId: masked,
  session: forGuests(''),
  clientName: by<string | null>(
    (name, eyes) => name && eyes.masked(name),
    () => null,
  ),
  startedBy: forGuests(SOMEBODY),
  metadata: by<ProcessInfo['metadata']>(
    (metadata, eyes) =>
      Object.fromEntries(
        Object.entries(metadata).map(([name, value]) => [eyes.masked(name), eyes.masked(value)]),
      ),
    () => ({}),
  ),
  label: masked,
  restartOf: forGuests<string | null>(null),
  restartable: forGuests(false),
  argv: by((argv, eyes) => eyes.maskedCommand(argv), asItIs),
  cwd: masked,
  tty: shown,
  pipeStdin: shown,
  pid: shown,
  size: orNull(SIZE),
  sandbox: by(
    (sandbox, eyes) => eyes.masked(sandbox),
    (sandbox) => (sandbox === NO_SANDBOX ? NO_SANDBOX : SOME_SANDBOX),
  ),
  state: shown,
  stillRunning: shown,
  notRecorded: shown,
  exitCode: shown,
  signal: shown,
  sandboxDenied: shown,
  startedAtMs: shown,
  exitedAtMs: shown,
  terminatingSinceMs: shown,
  killAtMs: shown,
  survivors: each(OS_PROCESS),
  escaped: each(OS_PROCESS),
  allEndedAtMs: shown,
  outputHeld: shown,
  bellAtMs: shown,
  notification: orNull(only<NonNullable<ProcessInfo['notification']>>({ text: masked, atMs: shown })),
  waitsForInput: shown,
  pinnedBy: forGuests<string | null>(null),
  watchers: by(asItIs, (_watchers, eyes, { watchedBy }) => own(watchedBy, eyes).length),
  watchedBy: by(asItIs, own),
  controller: forGuests<string | null>(null),
  acts: each(only<PlacedAct>({ ...ACT, afterSeq: shown })),
  endedBy: orNull(only<EndedBy>({ ...ACT, how: shown })),
};

const PROCESS_INFO = cached(only<ProcessInfo>(PROCESS_MEMBERS));

export const HISTORY_ENTRY = only<HistoryEntry>({
  ...(PROCESS_MEMBERS as Listed<HistoryEntry>),
  recordedBytes: shown,
  clientName: orNull(masked),
});

const SESSION_INFO = only<SessionInfo>({
  label: shown,
  clientName: masked,
  startedBy: shown,
  attached: shown,
  connectedAtMs: shown,
  detachedAtMs: shown,
  expiresAtMs: shown,
  processCount: shown,
});

const PERSON = only<Person>({
  connection: shown,
  token: shown,
  name: shown,
  role: shown,
  sinceMs: shown,
});

const ACTIVITY = only<Activity>({
  change: shown,
  atMs: shown,
  key: shown,
  what: shown,
  text: masked,
});

/** Health that guests of one process see instead of the actual one, whose reasons name the gateway's folders. */
const HEALTHY: GatewayHealth = { status: 'ok', reasons: [] };

export const GATEWAY_HEALTH = by<GatewayHealth>(
  only<GatewayHealth>({ status: shown, reasons: shown, notices: shown }).observer,
  () => HEALTHY,
);

const ACTIVITY_SINCE = only<ActivitySince>({ change: shown, entries: each(ACTIVITY), isComplete: shown });

/**
 * Rules for members only. For guests, the sender has already removed the requests for approval; for guests of
 * one process, also the sessions and all other processes and people.
 */
export const WATCH_RESULT = only<WatchResult>({
  gateway: GATEWAY_HEALTH,
  people: each(PERSON),
  activity: ACTIVITY_SINCE,
  sessions: each(SESSION_INFO),
  processes: each(PROCESS_INFO),
  approvals: APPROVALS,
  approvalSettings: APPROVAL_SETTINGS,
});

export const CONSOLE_CHANGED = only<ConsoleChanged>({
  gateway: GATEWAY_HEALTH,
  people: each(PERSON),
  activity: ACTIVITY_SINCE,
  sessions: each(SESSION_INFO),
  processes: each(PROCESS_INFO),
  approvals: APPROVALS,
  approvalSettings: APPROVAL_SETTINGS,
  printed: each(PRINTED_INFO),
  removed: only<NonNullable<ConsoleChanged['removed']>>({ keys: shown, sessions: shown }),
  recordingsRemoved: only<RecordingsRemoved>({
    recordings: each(only<RecordingsRemoved['recordings'][number]>({ key: shown, who: WHO })),
    isComplete: shown,
  }),
});

const ROOT = 'file:///';

/** Hides the machine's folders and shell from guests of one process. */
export const ENVIRONMENT_INFO = only<EnvironmentInfo>({
  shell: by(only<EnvironmentInfo['shell']>({ name: shown, path: shown }).observer, () => ({
    name: '',
    path: '',
  })),
  executorVersion: shown,
  providerId: forGuests(''),
  cwd: forGuests(ROOT),
  userHomeDir: forGuests(ROOT),
  platformOs: shown,
  prependPathDirs: forGuests<readonly string[]>([]),
  temporaryDirectories: forGuests<readonly string[]>([]),
  tempDir: forGuests(ROOT),
  capabilities: by(asItIs, asItIs),
});

export const INITIALIZE_RESULT = only<InitializeResult>({
  sessionId: shown,
  environmentInfo: ENVIRONMENT_INFO,
  protocolVersion: shown,
  console: only<ConsoleInfo>({
    version: shown,
    connection: shown,
    session: shown,
    role: shown,
    features: shown,
    share: orNull(only<NonNullable<ConsoleInfo['share']>>({ key: shown, expiresAtMs: shown })),
  }),
});
