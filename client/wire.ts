// Validates data from the gateway; null means "not of the expected shape".
import type { Activity, ActivitySince, Person } from '../protocol/activity.ts';
import type {
  AttachResult,
  ConsoleChanged,
  PrintedInfo,
  ProcessInfo,
  Progress,
  ReadByKeyResult,
  RecordingsRemoved,
  SessionInfo,
  SizeMark,
  StartResult,
  WatchResult,
} from '../protocol/console.ts';
import type { Stream, WriteResult } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';
import type { InitializeResult, PROTOCOL_VERSION } from '../protocol/session.ts';
import { readApprovals } from './approval-wire.ts';
import { fromBase64 } from './bytes.ts';
import type { LogEvent } from './ordered-events.ts';

/** An object from the wire whose members are not validated yet. */
type Members = { readonly [name: string]: unknown };

const version: typeof PROTOCOL_VERSION = 'exec-server.v0';
const streams: readonly unknown[] = ['stdout', 'stderr', 'pty'] satisfies Stream[];
const statuses: readonly unknown[] = [
  'accepted',
  'unknownProcess',
  'stdinClosed',
  'starting',
] satisfies WriteResult['status'][];
const progresses: readonly unknown[] = [
  'normal',
  'error',
  'indeterminate',
  'paused',
] satisfies Progress['state'][];

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isListOf = <T>(value: unknown, is: (each: unknown) => each is T): value is T[] =>
  Array.isArray(value) && value.every(is);
const isOrNull = <T>(value: unknown, is: (each: unknown) => each is T): value is T | null =>
  value === null || is(value);

const isStream = (value: unknown): value is Stream => streams.includes(value);
const isSize = (value: unknown): value is Size =>
  isObject(value) && isCount(value['rows']) && isCount(value['cols']);
const isSizeMark = (value: unknown): value is SizeMark =>
  isSize(value) && isCount((value as Members)['afterSeq']);

const isProcessInfo = (value: unknown): value is ProcessInfo =>
  isObject(value) &&
  ['key', 'processId', 'session', 'state', 'cwd'].every((name) => isText(value[name])) &&
  isListOf(value['argv'], isText) &&
  isOrNull(value['size'], isSize) &&
  isOrNull(value['controller'], isText);

const isInput = (value: unknown): value is NonNullable<PrintedInfo['lastInput']> =>
  isObject(value) && isText(value['session']) && isText(value['who']) && isCount(value['atMs']);
const isProgress = (value: unknown): value is Progress =>
  isObject(value) && progresses.includes(value['state']) && isOrNull(value['percent'], isCount);

/** Accepted members with their checks; others are dropped, since the result is merged into the known object. */
const printedMembers = Object.entries({
  key: isText,
  lastOutputAtMs: (value) => isOrNull(value, isCount),
  lastInput: (value) => isOrNull(value, isInput),
  outputBytes: isCount,
  nextSeq: isCount,
  firstRetainedSeq: isCount,
  title: (value) => isOrNull(value, isText),
  lastLine: (value) => isOrNull(value, isText),
  progress: (value) => isOrNull(value, isProgress),
} satisfies Record<keyof PrintedInfo, (value: unknown) => boolean>);

function readPrinted(value: unknown): PrintedInfo | null {
  if (!isObject(value) || !printedMembers.every(([name, is]) => is(value[name]))) return null;
  return Object.fromEntries(printedMembers.map(([name]) => [name, value[name]])) as unknown as PrintedInfo;
}

const isSessionInfo = (value: unknown): value is SessionInfo =>
  isObject(value) && isText(value['label']) && isText(value['clientName']);

const isPerson = (value: unknown): value is Person =>
  isObject(value) && ['connection', 'token', 'name', 'role'].every((name) => isText(value[name]));

const isActivity = (value: unknown): value is Activity =>
  isObject(value) && isCount(value['change']) && isText(value['key']) && isText(value['what']);

function readActivity(value: unknown): ActivitySince | null {
  if (!isObject(value) || !isCount(value['change']) || !Array.isArray(value['entries'])) return null;
  const { change, entries, isComplete } = value;
  return { change, entries: entries.filter(isActivity), isComplete: isComplete === true };
}

const isRemovedRecording = (value: unknown): value is RecordingsRemoved['recordings'][number] =>
  isObject(value) && isText(value['key']) && isText(value['who']);

function readRecordingsRemoved(value: unknown): RecordingsRemoved | null {
  if (!isObject(value) || !Array.isArray(value['recordings'])) return null;
  const { recordings, isComplete } = value;
  return { recordings: recordings.filter(isRemovedRecording), isComplete: isComplete === true };
}

/** Returns the result; null unless the server is an exec-console gateway of this protocol version. */
export function readInitialize(result: unknown): InitializeResult | null {
  if (!isObject(result) || !isText(result['sessionId']) || result['protocolVersion'] !== version) return null;
  const { console, environmentInfo: environment } = result;
  if (!isObject(environment) || !isObject(environment['shell']) || !isText(environment['cwd'])) return null;
  if (!isObject(console) || !['connection', 'session', 'role'].every((name) => isText(console[name]))) {
    return null;
  }
  return {
    ...result,
    console: { ...console, share: readShare(console['share']) },
  } as unknown as InitializeResult;
}

function readShare(value: unknown): InitializeResult['console']['share'] {
  if (!isObject(value) || !isCount(value['expiresAtMs'])) return null;
  return { key: isText(value['key']) ? value['key'] : null, expiresAtMs: value['expiresAtMs'] };
}

/**
 * Variant of `readInitialize` for any exec-server; without exec-console's extensions, the labels are empty and
 * the role is `agent`.
 */
export function readAnyInitialize(result: unknown): InitializeResult | null {
  const ours = readInitialize(result);
  if (ours) return ours;
  if (!isObject(result) || !isText(result['sessionId']) || !isObject(result['environmentInfo'])) return null;
  const console = { version: '', connection: '', session: '', role: 'agent', features: [], share: null };
  return { ...result, protocolVersion: version, console } as unknown as InitializeResult;
}

/**
 * Returns the result without malformed entries, and with defaults for missing members except `approvals` and
 * `approvalSettings`; null when `result` is not an object.
 */
export function readWatch(result: unknown): WatchResult | null {
  const changed = readChanged(result);
  return (
    changed && {
      gateway: changed.gateway ?? { status: 'ok', reasons: [] },
      people: changed.people ?? [],
      activity: changed.activity ?? { change: 0, entries: [], isComplete: true },
      sessions: changed.sessions ?? [],
      processes: changed.processes ?? [],
      ...(changed.approvals && { approvals: changed.approvals }),
      ...(changed.approvalSettings && { approvalSettings: changed.approvalSettings }),
    }
  );
}

/** Returns the change without malformed members and entries; null when `params` is not an object. */
export function readChanged(params: unknown): ConsoleChanged | null {
  if (!isObject(params)) return null;
  const { gateway, people, sessions, processes, printed, removed } = params;
  const activity = readActivity(params['activity']);
  const recordingsRemoved = readRecordingsRemoved(params['recordingsRemoved']);
  return {
    ...(activity && { activity }),
    ...(recordingsRemoved && { recordingsRemoved }),
    ...readApprovals(params),
    ...(Array.isArray(people) && { people: people.filter(isPerson) }),
    ...(isObject(gateway) &&
      isListOf(gateway['reasons'], isText) && {
        gateway: {
          status: gateway['status'] === 'ok' ? ('ok' as const) : ('degraded' as const),
          reasons: gateway['reasons'],
          ...(isListOf(gateway['notices'], isText) && { notices: gateway['notices'] }),
        },
      }),
    ...(Array.isArray(sessions) && { sessions: sessions.filter(isSessionInfo) }),
    ...(Array.isArray(processes) && { processes: processes.filter(isProcessInfo) }),
    ...(Array.isArray(printed) && { printed: printed.flatMap((info) => readPrinted(info) ?? []) }),
    ...(isObject(removed) &&
      isListOf(removed['keys'], isText) &&
      isListOf(removed['sessions'], isText) && {
        removed: { keys: removed['keys'], sessions: removed['sessions'] },
      }),
  };
}

export function readStart(result: unknown): StartResult | null {
  return isObject(result) && isText(result['key']) && isText(result['processId'])
    ? (result as unknown as StartResult)
    : null;
}

export function readAttach(result: unknown): AttachResult | null {
  return isObject(result) &&
    isCount(result['nextSeq']) &&
    isCount(result['offset']) &&
    isOrNull(result['size'], isSize)
    ? (result as unknown as AttachResult)
    : null;
}

export function readStatus(result: unknown): WriteResult['status'] | null {
  return isObject(result) && statuses.includes(result['status'])
    ? (result['status'] as WriteResult['status'])
    : null;
}

/**
 * One page of a log. `missedBytes`: size of the output skipped before the first chunk; `nextSeq`: first seq after the
 * page.
 */
export interface Page {
  readonly chunks: readonly (LogEvent & { readonly kind: 'output' })[];
  /** Exit and close, if they have happened, even outside this page. */
  readonly ends: readonly (LogEvent & { readonly kind: 'exited' | 'closed' })[];
  readonly missedBytes: number;
  readonly sizes: readonly SizeMark[];
  readonly nextSeq: number;
}

export function readPage(result: unknown): Page | null {
  if (!isObject(result)) return null;
  const { chunks, nextSeq, missedBytes, exitedSeq, closedSeq, sizes } = result;
  if (!isCount(nextSeq) || !isCount(missedBytes)) return null;
  if (!isListOf(sizes, isSizeMark) || !isOrNull(exitedSeq, isCount) || !isOrNull(closedSeq, isCount)) {
    return null;
  }
  const { exitCode, sandboxDenied } = result as unknown as ReadByKeyResult;
  const outputs = readChunks(chunks);
  if (!outputs) return null;
  return {
    chunks: outputs,
    ends: [
      ...(exitedSeq === null
        ? []
        : [{ kind: 'exited' as const, seq: exitedSeq, exitCode: exitCode ?? 0, sandboxDenied }]),
      ...(closedSeq === null ? [] : [{ kind: 'closed' as const, seq: closedSeq }]),
    ],
    missedBytes,
    sizes,
    nextSeq,
  };
}

/** Returns the chunks of a page; null if the list or a chunk is malformed. */
export function readChunks(chunks: unknown): Page['chunks'] | null {
  if (!Array.isArray(chunks)) return null;
  const outputs = chunks.map((chunk) => readOutput(chunk, false)).filter((output) => output !== null);
  return outputs.length === chunks.length ? outputs : null;
}

export interface Push {
  readonly key: string;
  readonly processId: string;
  readonly event: LogEvent;
}

/**
 * Returns the event of a `process/*` notification, with output marked as live; null for any other
 * notification, and for a malformed one.
 */
export function readPush(method: string, params: unknown): Push | null {
  if (!isObject(params)) return null;
  const { key, processId } = params;
  if (!isText(key) || !isText(processId)) return null;
  const event = readEvent(method, params);
  return event && { key, processId, event };
}

/**
 * Variant of `readPush` that requires no key, since other exec-servers name a process of this client's session by
 * processId alone.
 */
export function readOwnPush(method: string, params: unknown): Omit<Push, 'key'> | null {
  if (!isObject(params) || !isText(params['processId'])) return null;
  const event = readEvent(method, { sandboxDenied: false, ...params });
  return event && { processId: params['processId'], event };
}

function readEvent(method: string, params: Members): LogEvent | null {
  const { seq, exitCode, sandboxDenied, afterSeq, nextSeq, bytes } = params;
  switch (method) {
    case 'process/output':
      return readOutput(params, true);
    case 'process/exited':
      return isCount(seq) && isCount(exitCode) && isFlag(sandboxDenied)
        ? { kind: 'exited', seq, exitCode, sandboxDenied }
        : null;
    case 'process/closed':
      return isCount(seq) ? { kind: 'closed', seq } : null;
    case 'process/gap':
      return isCount(afterSeq) && isCount(nextSeq) && isCount(bytes)
        ? { kind: 'gap', afterSeq, nextSeq, bytes }
        : null;
    case 'process/resized':
      return isSizeMark(params)
        ? {
            kind: 'resized',
            afterSeq: params.afterSeq,
            size: { rows: params.rows, cols: params.cols },
          }
        : null;
    default:
      return null;
  }
}

function readOutput(value: unknown, live: boolean): (LogEvent & { readonly kind: 'output' }) | null {
  if (!isObject(value)) return null;
  const { seq, stream, chunk, atMs } = value;
  if (!isCount(seq) || !isStream(stream) || !isText(chunk)) return null;
  const bytes = decoded(chunk);
  return bytes && { kind: 'output', seq, stream, bytes, live, ...(isCount(atMs) && { atMs }) };
}

function decoded(chunk: string): Uint8Array | null {
  try {
    return fromBase64(chunk);
  } catch {
    return null;
  }
}
