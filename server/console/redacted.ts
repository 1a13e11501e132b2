// What those are told who may only look: everything, but for the secrets in what processes print and are called.
import type { Identity } from '../auth/identity.ts';
import type { OutputEvent } from '../process/log-event.ts';
import { lastLine, LAST_LINE_BYTES } from '../process/last-line.ts';
import type { Process } from '../process/process.ts';
import type { Activity } from '../protocol/activity.ts';
import type { ConsoleChanged, PrintedInfo, ProcessInfo, WatchResult } from '../protocol/console.ts';
import { masked } from '../protocol/masking.ts';
import { redacted } from '../redaction/redacted-log.ts';

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
    ...all,
    processes: all.processes.map((info) => redactedInfo(info, find)),
    activity: { ...all.activity, entries: all.activity.entries.map(redactedActivity) },
  };
}

export function redactedChange(change: ConsoleChanged, find: Find): ConsoleChanged {
  const { processes, printed, activity } = change;
  return {
    ...change,
    ...(processes && { processes: processes.map((info) => redactedInfo(info, find)) }),
    ...(printed && { printed: printed.map((info) => redactedPrinted(info, find)) }),
    ...(activity && { activity: { ...activity, entries: activity.entries.map(redactedActivity) } }),
  };
}

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

function coveredPrinted<I extends PrintedInfo>(info: I, find: Find): I {
  const process = find(info.key);
  return {
    ...info,
    title: info.title && masked(info.title),
    lastLine:
      process && process.log.retainedBytes > 0
        ? redactedLastLine(process)
        : info.lastLine && masked(info.lastLine),
  };
}

function coveredInfo(info: ProcessInfo, find: Find): ProcessInfo {
  const { notification } = info;
  return {
    ...coveredPrinted(info, find),
    argv: redactedCommand(info.argv),
    cwd: masked(info.cwd),
    processId: masked(info.processId),
    label: info.label && masked(info.label),
    metadata: Object.fromEntries(
      Object.entries(info.metadata).map(([name, value]) => [masked(name), masked(value)] as const),
    ),
    notification: notification && { ...notification, text: masked(notification.text) },
  };
}

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
  const line = process.isFullScreen ? null : lastLine(redacted(process.log).tail(LAST_LINE_BYTES), masked);
  lastLines.set(process, { atBytes, line });
  return line;
}

const redactedActivity = (entry: Activity): Activity =>
  entry.text === undefined ? entry : { ...entry, text: masked(entry.text) };
