// Converts filter text to a predicate on processes: words anywhere, or `name:value` for one field.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { commandLine } from '../../../text/command-line.ts';
import { isWaiting, isLive, statusOf, statusText } from '../../../text/process-words.ts';
import { clientTitle } from '../../../text/client-title.ts';

export const PLACES = ['status', 'agent', 'folder', 'label', 'thread', 'command', 'call', 'model'] as const;
export type Place = (typeof PLACES)[number];

/** Facts about the starter and the thread of a process. */
export interface Origin {
  /** Client name; empty for a person, or when unknown. */
  readonly clientName: string;
  /** Title of the thread's first process, by which people recognize the thread; empty without a thread. */
  readonly threadTitle: string;
  /** True when the agent has disconnected or its session is over. */
  readonly isLeft: boolean;
}

export type Filter = (info: ProcessInfo, origin: Origin) => boolean;

/** A word of the filter, parsed. */
export interface FilterWord {
  /** The word as typed, but with `status:` in place of `state:`. */
  readonly text: string;
  /** Field of the word; null matches any field. */
  readonly place: Place | null;
  readonly value: string;
  /** True for `-name:value`, `-"…"` or `!word`, which exclude matches. Command options are ordinary words. */
  readonly isWithout: boolean;
}

/**
 * Returns the predicate: every word must match, ignoring case; of several statuses, one is enough. An empty filter
 * matches everything.
 */
export function parseFilter(text: string): Filter {
  // An unfinished word without a value is ignored.
  const words = filterWords(text).filter(({ value }) => value !== '');
  const isStatus = ({ place, isWithout }: FilterWord): boolean => place === 'status' && !isWithout;
  const statuses = words.filter(isStatus);
  const others = words.filter((word) => !isStatus(word));
  return (info, origin) => {
    if (words.length === 0) return true;
    const texts = textsOf(info, origin);
    const everywhere = Object.values(texts).join('\n');
    // The thread's title is searched only by field: a word of its first command must not match all other processes of
    // the thread.
    const inPlace = (place: Place): string =>
      place === 'thread' ? `${texts.thread}\n${plain(origin.threadTitle)}` : texts[place];
    const has = ({ place, value }: FilterWord): boolean =>
      (place ? inPlace(place) : everywhere).includes(value.toLowerCase());
    return (
      (statuses.length === 0 || statuses.some(has)) && others.every((word) => has(word) !== word.isWithout)
    );
  };
}

/** Other tools call the status field `state`; both names are accepted. */
const STATE = /^([!-]?)state:/i;
const EXCLUDES = new RegExp(`^(?:!|-"|-(?:${PLACES.join('|')}):)`, 'i');

/** Words of a filter; quotes enclose spaces, and the last quote may be unclosed. */
const WORDS = /(?:[^\s"]|"[^"]*"?)+/g;

/** Returns the filter with its unfinished last word replaced by `word`; after a space, with `word` added. */
export function withCompleted(text: string, word: string): string {
  const last = [...text.matchAll(WORDS)].at(-1);
  const isOpen = last !== undefined && last.index + last[0].length === text.length;
  return (isOpen ? text.slice(0, last.index) : text) + word;
}

/** Splits the filter into words; quotes enclose spaces. */
export function filterWords(text: string): FilterWord[] {
  return [...text.matchAll(WORDS)].map(([typed]) => {
    const word = typed.replace(STATE, '$1status:');
    const isWithout = EXCLUDES.test(word);
    const meant = isWithout ? word.slice(1) : word;
    const place = PLACES.find((each) => meant.toLowerCase().startsWith(`${each}:`)) ?? null;
    const value = (place ? meant.slice(place.length + 1) : meant).replaceAll('"', '');
    return { text: word, place, value, isWithout };
  });
}

/** Returns a filter word that matches this value of the field. */
export function filterWord(place: Place, value: string): string {
  // Hidden characters are made visible, so that a name chosen by someone else cannot reorder the filter text.
  const plain = visible(value).replaceAll('"', '');
  return `${place}:${/\s/.test(plain) ? `"${plain}"` : plain}`;
}

/** Returns the filter with the word added, or removed if present. */
export function withToggled(text: string, toggled: string): string {
  const words = filterWords(text).map((word) => word.text);
  const rest = words.filter((word) => word.toLowerCase() !== toggled.toLowerCase());
  return (rest.length < words.length ? rest : [...words, toggled]).join(' ');
}

/** Returns the thread id from the agent's metadata; null when it sent none. */
export const threadOf = ({ metadata }: ProcessInfo): string | null => metadata['threadId'] ?? null;
/** Returns the thread that started the process's thread; null when there is none or it is unknown. */
export const parentThreadOf = ({ metadata }: ProcessInfo): string | null =>
  metadata['parentThreadId'] ?? null;
export const toolCallOf = ({ metadata }: ProcessInfo): string | null => metadata['toolCallId'] ?? null;

/**
 * Returns the words by which the filter finds a status. A terminating process also counts as running, a
 * waiting one only as waiting; the person who ended a process is not part of its status.
 */
function statusWords(info: ProcessInfo): string {
  const status = statusOf(info);
  if (status === 'terminating') return 'terminating running';
  const words = status === 'stopped' ? `stopped ${info.endedBy?.how ?? 'interrupt'}` : statusText(info);
  return isWaiting(info) ? 'waiting' : `${words} ${isLive(info) ? 'running' : 'done'}`;
}

const plain = (text: string): string => visible(text).toLowerCase();

function textsOf(info: ProcessInfo, { clientName, isLeft }: Origin): { readonly [place in Place]: string } {
  return {
    // Status "left": the process has outlived its agent.
    status: `${statusWords(info).toLowerCase()}${isLeft && isLive(info) ? ' left' : ''}`,
    agent: plain(
      `${clientName} ${clientTitle(clientName)} ${info.startedBy} ${info.metadata['agentVersion'] ?? ''}`,
    ),
    folder: plain(info.cwd),
    label: plain(info.label ?? ''),
    // A thread also matches processes of its sub-agents.
    thread: plain(`${threadOf(info) ?? ''}\n${parentThreadOf(info) ?? ''}`),
    // The command, both quoted for a shell and as passed.
    command: `${commandLine(info.argv)}\n${visible(info.argv.join(' '))}`.toLowerCase(),
    call: plain(toolCallOf(info) ?? ''),
    model: plain(info.metadata['model'] ?? ''),
  };
}
