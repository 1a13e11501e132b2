// All known facts of a process in words.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Used } from './usage-feed.ts';
import { cpuText } from './usage-text.ts';
import { nameOf, type Present } from './people.ts';
import { visible } from '../../../text/visible.ts';
import { actText } from '../../../text/act-text.ts';
import { commandLine } from '../../../text/command-line.ts';
import { bytesText, countedText, dateTimeText, durationText } from '../../../text/amounts.ts';
import { elapsedMs, isLive, isStdinClosed, statusText } from '../../../text/process-words.ts';
import { starterTitle } from '../../../text/client-title.ts';

export interface Fact {
  readonly name: string;
  readonly text: string;
}

interface Known {
  readonly info: ProcessInfo;
  /** Client name sent by the agent; null for a person, or when unknown. */
  readonly clientName: string | null;
  readonly used: Used | undefined;
  readonly present: Present;
  readonly nowMs: number;
}

/** Labels of known metadata fields. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['threadId', 'Thread'],
  ['parentThreadId', 'Parent thread'],
  ['toolCallId', 'Tool call'],
  ['agentVersion', 'Agent version'],
  ['model', 'Model'],
]);

export function factsOf({ info, clientName, used, present, nowMs }: Known): readonly Fact[] {
  const agent =
    // A guest who sees only a single process receives no session label.
    ['console', ''].includes(info.session)
      ? info.startedBy
      : starterTitle({ clientName, startedBy: info.startedBy });
  const last = used?.samples.at(-1);
  const facts: readonly (readonly [name: string, text: string | null])[] = [
    ['Command', commandLine(info.argv)],
    ['Label', info.label],
    [
      'Status',
      info.waitsForInput && isLive(info) ? `${statusText(info)}, waiting for input` : statusText(info),
    ],
    ['Folder', info.cwd],
    ['PID', String(info.pid)],
    [
      'Started',
      `${dateTimeText(info.startedAtMs)}, ${isLive(info) ? 'running for' : 'ran for'} ${durationText(elapsedMs(info, nowMs))}`,
    ],
    ['Ended', info.exitedAtMs === null ? null : dateTimeText(info.exitedAtMs)],
    ['Started by', agent],
    ...Object.entries(info.metadata).map(([member, text]) => [metadataName(member), text] as const),
    [
      'Ports',
      used && used.ports.length > 0
        ? used.ports.map(({ port, address }) => `${port} on ${address}`).join(', ')
        : null,
    ],
    [
      'Usage',
      last
        ? `${last.cpu === null ? 'CPU not measured yet' : `CPU ${cpuText(last.cpu)} of one core`}, memory ${bytesText(last.memoryBytes)}, ${countedText(used?.processes ?? 1, 'process', 'processes')}`
        : null,
    ],
    ['Input and output', ioText(info)],
    ['Controlled by', controlText(info, present)],
    ['Watched by', watchedText(info, present)],
    ['Output', outputText(info, nowMs)],
    ['Terminal title', info.title],
    ['Last line', info.lastLine],
    ['Actions', info.acts.map((act) => `${actText(act)}, ${dateTimeText(act.atMs)}`).join('; ')],
    ['Sandbox', info.sandbox === 'none' ? 'none: full access as the gateway’s user' : info.sandbox],
    ['Recording', info.notRecorded ? 'turned off when the process was started' : null],
    ['Restart of', info.restartOf],
    ['Kept running by', info.pinnedBy],
    ['Session', info.session],
    ['ID chosen by the client', info.processId],
    ['Key', info.key],
  ];
  return facts.flatMap(([name, text]) =>
    text === null || text === '' ? [] : [{ name, text: visible(text) }],
  );
}

/** Quotes the name of an unknown field, so that an agent cannot choose one that equals the name of another fact. */
const metadataName = (member: string): string =>
  NAMED.get(member) ?? `Metadata ${visible(JSON.stringify(member))}`;

/** Returns the facts as text for pasting into a report. */
export const factsText = (facts: readonly Fact[]): string =>
  facts.map(({ name, text }) => `${name}: ${text}`).join('\n');

function ioText({ tty, size, pipeStdin, acts }: ProcessInfo): string {
  if (tty) return size ? `a terminal, ${size.cols}×${size.rows}` : 'a terminal';
  if (!pipeStdin) return 'pipes, without stdin';
  return isStdinClosed({ acts }) ? 'pipes, stdin closed' : 'pipes, with stdin';
}

function controlText({ tty, controller }: ProcessInfo, present: Present): string | null {
  if (!tty) return null;
  return controller === null ? 'nobody' : nameOf(controller, present);
}

/** Returns the names of the watchers in `watchedBy`, followed by the number of the others. */
function watchedText({ watchers, watchedBy }: ProcessInfo, present: Present): string {
  if (watchers === 0) return 'nobody';
  const names = [...new Set(watchedBy.map((label) => nameOf(label, present)))];
  const more = watchers - watchedBy.length;
  return [...names, ...(more > 0 ? [countedText(more, 'more connection', 'more connections')] : [])].join(
    ', ',
  );
}

function outputText({ outputBytes, lastOutputAtMs, ...info }: ProcessInfo, nowMs: number): string {
  if (lastOutputAtMs === null) return 'none yet';
  const quietMs = nowMs - lastOutputAtMs;
  const ago = quietMs < 1000 ? 'just now' : `${durationText(quietMs)} ago`;
  const quiet = isLive(info) ? `, last output ${ago}` : '';
  return `${bytesText(outputBytes)}${quiet}`;
}
