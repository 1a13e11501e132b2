// What is typed into the filter → which processes it means: words anywhere, or `name:value` in one place.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { commandLine } from '../../../text/command-line.ts';
import { isWaiting, isLive, statusOf, statusText } from '../../../text/process-words.ts';

/** The places that have a name. */
export const PLACES = ['status', 'agent', 'folder', 'label', 'thread', 'command', 'call'] as const;
export type Place = (typeof PLACES)[number];

/** As it is told of a process: who started it, over which connection. */
export interface Origin {
  /** The client's own name; empty when nobody knows it any more. */
  readonly clientName: string;
  /** Words of the first command in its thread, by which people know the thread; empty without a thread. */
  readonly threadTitle: string;
}

export type Filter = (info: ProcessInfo, origin: Origin) => boolean;

/** A word of the filter, as it was written and as it is meant. */
export interface FilterWord {
  readonly text: string;
  /** Null: anywhere. */
  readonly place: Place | null;
  readonly value: string;
  /** Written as `-name:value`, `-"…"` or `!word`: what matches is left out. Options of commands are words like others. */
  readonly isWithout: boolean;
}

/** Every word must match, whatever the case; of several statuses one. An empty filter means all of them. */
export function parseFilter(text: string): Filter {
  // A word that is only begun says nothing yet.
  const words = filterWords(text).filter(({ value }) => value !== '');
  const isStatus = ({ place, isWithout }: FilterWord): boolean => place === 'status' && !isWithout;
  const statuses = words.filter(isStatus);
  const others = words.filter((word) => !isStatus(word));
  return (info, origin) => {
    if (words.length === 0) return true;
    const texts = textsOf(info, origin);
    const everywhere = Object.values(texts).join('\n');
    // Only asked for by its name: a word of one command does not find all others of its thread.
    const inPlace = (place: Place): string =>
      place === 'thread' ? `${texts.thread}\n${plain(origin.threadTitle)}` : texts[place];
    const has = ({ place, value }: FilterWord): boolean =>
      (place ? inPlace(place) : everywhere).includes(value.toLowerCase());
    return (
      (statuses.length === 0 || statuses.some(has)) && others.every((word) => has(word) !== word.isWithout)
    );
  };
}

const EXCLUDES = new RegExp(`^(?:!|-"|-(?:${PLACES.join('|')}):)`, 'i');

/** What has spaces in it stands between quotes. */
export function filterWords(text: string): FilterWord[] {
  return [...text.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)].map(([word]) => {
    const isWithout = EXCLUDES.test(word);
    const meant = isWithout ? word.slice(1) : word;
    const place = PLACES.find((each) => meant.toLowerCase().startsWith(`${each}:`)) ?? null;
    const value = (place ? meant.slice(place.length + 1) : meant).replaceAll('"', '');
    return { text: word, place, value, isWithout };
  });
}

/** The filter's word for exactly this. */
export function filterWord(place: Place, value: string): string {
  // As it is read: what somebody else chose reorders nothing in the field either.
  const plain = visible(value).replaceAll('"', '');
  return `${place}:${/\s/.test(plain) ? `"${plain}"` : plain}`;
}

/** The filter with the word, or without it when it is there. */
export function withToggled(text: string, toggled: string): string {
  const words = filterWords(text).map((word) => word.text);
  const rest = words.filter((word) => word.toLowerCase() !== toggled.toLowerCase());
  return (rest.length < words.length ? rest : [...words, toggled]).join(' ');
}

/** An agent's own names for what it was doing; null when it told none. */
export const threadOf = ({ metadata }: ProcessInfo): string | null => metadata['threadId'] ?? null;
export const toolCallOf = ({ metadata }: ProcessInfo): string | null => metadata['toolCallId'] ?? null;

/** The words that a status is found by; what is being ended still runs. Who has ended it is no status. */
function statusWords(info: ProcessInfo): string {
  const status = statusOf(info);
  if (status === 'terminating') return 'terminating running';
  const words = status === 'stopped' ? `stopped ${info.endedBy?.how ?? 'interrupt'}` : statusText(info);
  return isWaiting(info) ? 'waiting' : `${words} ${isLive(info) ? 'running' : 'done'}`;
}

const plain = (text: string): string => visible(text).toLowerCase();

function textsOf(info: ProcessInfo, { clientName }: Origin): { readonly [place in Place]: string } {
  return {
    status: statusWords(info).toLowerCase(),
    agent: plain(`${clientName} ${info.startedBy}`),
    folder: plain(info.cwd),
    label: plain(info.label ?? ''),
    thread: plain(threadOf(info) ?? ''),
    // As it can be pasted into a shell, and as it was passed.
    command: `${commandLine(info.argv)}\n${visible(info.argv.join(' '))}`.toLowerCase(),
    call: plain(toolCallOf(info) ?? ''),
  };
}
