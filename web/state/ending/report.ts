// Outcome of a step on one or more processes, recomputed from the list so that it stays true.
import type { OsProcessName, ProcessInfo } from '../../../protocol/console.ts';
import { actWord } from '../../../text/act-text.ts';
import { capitalized } from '../../../text/capitalized.ts';
import { processTitle } from '../processes/process-title.ts';
import { durationText, numberText } from '../../../text/amounts.ts';
import { elapsedMs, isLive } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { isHeldUnseen, isTerminating, type Step } from './ladder.ts';
import { cutTo } from '../../../text/cut.ts';

export interface Done {
  readonly step: Step;
  /** Keys of the processes for which the step was requested, including those that were refused. */
  readonly keys: readonly string[];
  readonly refused: readonly { readonly key: string; readonly problem: string }[];
}

export interface Report {
  /** Text such as `12 ended, 1 still running: npm run build (4242)`; when all ended, with their names. */
  readonly text: string;
  /** Keys of the processes that are still running or being terminated; empty for a step on a single process. */
  readonly there: readonly string[];
  /** Keys of the processes with escaped descendants, which left their OS session. */
  readonly escaped: readonly string[];
}

type Processes = { readonly [key: string]: ProcessInfo };

/** Maximum number of processes named; more are only counted. */
const MOST_NAMED = 3;
/** Maximum length of a name in characters. */
const LONGEST_NAME = 40;
/** Maximum length of a name in characters when everything ended as expected. */
const SHORT_NAME = 24;
/** Maximum length of the name in a confirmation for a single process, in characters. */
const LONGEST_ASKED = 120;

/** Returns the report on a step; for a single process, the text is empty until an act has ended the process. */
export function reportOf(done: Done, processes: Processes): Report {
  const { keys } = done;
  const only = keys.length === 1 ? processes[keys[0] ?? ''] : undefined;
  if (keys.length > 1) return reportOfMany(done, processes);
  if (!only?.endedBy || isLive(only) || isTerminating(only)) return { text: '', there: [], escaped: [] };
  const word = actWord(only.endedBy.how);
  const left =
    only.escaped.length > 0 ? `; still running outside the OS session: ${survivorsText(only.escaped)}` : '';
  return {
    text: `${capitalized(word)} ${objectText([only])}${left}`,
    there: [],
    escaped: left === '' ? [] : [only.key],
  };
}

function reportOfMany({ keys, refused }: Done, processes: Processes): Report {
  const refusedKeys = new Set(refused.map(({ key }) => key));
  const taken = keys.filter((key) => !refusedKeys.has(key));
  const infos = taken.flatMap((key) => processes[key] ?? []);
  const there = infos.filter((info) => isLive(info) || isTerminating(info));
  const lost = infos.filter(({ state }) => state === 'lost');
  const escaped = infos.filter((info) => info.escaped.length > 0);
  const held = infos.filter(isHeldUnseen);
  // Processes that the gateway no longer has count as ended.
  const ended = taken.length - there.length - lost.length - held.length;
  const parts = [
    ended > 0 ? `${numberText(ended)} ended` : null,
    there.length > 0 ? `${numberText(there.length)} still running: ${named(there.map(nameAndPid))}` : null,
    lost.length > 0 ? `${numberText(lost.length)} lost` : null,
    escaped.length > 0
      ? `still running outside the OS session: ${survivorsText(escaped.flatMap((info) => info.escaped))}`
      : null,
    held.length > 0 ? `output pipe still open: ${named(held.map((info) => nameOf(info)))}` : null,
    ...[...new Set(refused.map(({ problem }) => problem))].map((problem) => {
      const names = refused.flatMap((each) =>
        each.problem === problem ? [nameOf(processes[each.key])] : [],
      );
      return `${numberText(names.length)} refused (${visible(problem)}): ${named(names)}`;
    }),
  ];
  const facts = parts.filter((part) => part !== null);
  // Names of processes that ended as expected are added only if there is nothing more important to show.
  const isAllEnded = ended > 0 && facts.length === 1 && infos.length > 0;
  const names = isAllEnded ? `: ${named(infos.map((info) => quoted(nameOf(info, SHORT_NAME))))}` : '';
  return {
    text: facts.length > 0 ? `${facts.join(', ')}${names}` : 'Nothing to end',
    there: there.map(({ key }) => key),
    escaped: escaped.map(({ key }) => key),
  };
}

/** Parts of a confirmation: where space is short, only the name is truncated. */
export interface QuestionText {
  readonly verb: string;
  readonly before: string;
  readonly name: string;
  readonly after: string;
  /** Text added before the question mark. */
  readonly note: string;
  /** Sentence about the run time of the work that would be lost, such as `It has run for 5m 04s`. */
  readonly ran: string;
  /** Untruncated titles of all processes that the action applies to. */
  readonly names: readonly string[];
}

/** Returns the parts of `Terminate “make build”? It has run for 5m 04s`. */
export function questionText(
  { name, note = '' }: { readonly name: string; readonly note?: string },
  able: readonly ProcessInfo[],
  nowMs: number,
): QuestionText {
  const ran = durationText(Math.max(0, ...able.map((info) => elapsedMs(info, nowMs))));
  const which = able.length === 1 ? 'It' : 'The longest';
  return {
    verb: name,
    ...objectOf(able),
    note,
    ran: `${which} has run for ${ran}`,
    names: able.map(processTitle),
  };
}

function objectOf(able: readonly ProcessInfo[]): Pick<QuestionText, 'before' | 'name' | 'after'> {
  const [only] = able;
  if (able.length === 1 && only)
    return { before: '“', name: cutTo(processTitle(only), LONGEST_ASKED), after: '”' };
  const names = named(able.map((info) => quoted(nameOf(info))));
  return { before: `${numberText(able.length)} processes (`, name: names, after: ')' };
}

/** Returns for example `“make build”` or `3 processes (“one”, “two”, “three”)`. */
export function objectText(infos: readonly (ProcessInfo | undefined)[]): string {
  const names = named(infos.map((info) => quoted(nameOf(info))));
  return infos.length === 1 ? names : `${numberText(infos.length)} processes (${names})`;
}

/** Returns for example `sleep (123), sh (124) and 2 more`. */
export const survivorsText = (survivors: readonly OsProcessName[]): string =>
  named(survivors.map(({ pid, name }) => `${visible(name)} (${pid})`));

/** Returns the first names and the number of the others. */
export function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0
    ? `${names.slice(0, MOST_NAMED).join(', ')} and ${numberText(more)} more`
    : names.join(', ');
}

function nameAndPid(info: ProcessInfo): string {
  // A process that has ended is represented by its survivors.
  return !isLive(info) && info.survivors.length > 0
    ? survivorsText(info.survivors)
    : `${nameOf(info)} (${info.pid})`;
}

function nameOf(info: ProcessInfo | undefined, longest = LONGEST_NAME): string {
  const name = info ? processTitle(info) : 'a process';
  return cutTo(name, longest);
}

/** Returns a name in quotation marks, since the page shows reports as plain text. */
const quoted = (name: string): string => `“${name}”`;
