// What is typed into the filter → which processes it means: words anywhere, or `name:value` in one place.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { commandLine } from './command-line.ts';
import { statusText } from './process-status.ts';

/** The places that have a name. */
const PLACES = ['agent', 'thread', 'call', 'state', 'label', 'folder'] as const;
type Place = (typeof PLACES)[number];

/** As it is told of a process: who started it, over which connection. */
export interface Origin {
  /** The client's own name; empty when nobody knows it any more. */
  readonly clientName: string;
}

export type Filter = (info: ProcessInfo, origin: Origin) => boolean;

/** Every word must match, whatever the case. An empty filter means all of them. */
export function parseFilter(text: string): Filter {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(parseWord);
  return (info, origin) => {
    if (words.length === 0) return true;
    const texts = textsOf(info, origin);
    const everywhere = Object.values(texts).join('\n');
    return words.every(({ place, value }) => (place ? texts[place] : everywhere).includes(value));
  };
}

/** The filter's word for exactly this; what has spaces in it is looked for by its first part. */
export function filterWord(place: Place, value: string): string {
  return `${place}:${value.split(/\s/)[0] ?? ''}`;
}

/** An agent's own names for what it was doing; null when it told none. */
export const threadOf = ({ metadata }: ProcessInfo): string | null => metadata['threadId'] ?? null;
export const toolCallOf = ({ metadata }: ProcessInfo): string | null => metadata['toolCallId'] ?? null;

function parseWord(word: string): { readonly place: Place | null; readonly value: string } {
  const place = PLACES.find((each) => word.startsWith(`${each}:`)) ?? null;
  return { place, value: place ? word.slice(place.length + 1) : word };
}

function textsOf(
  info: ProcessInfo,
  { clientName }: Origin,
): { readonly [place in Place | 'command']: string } {
  return {
    command: commandLine(info.argv).toLowerCase(),
    agent: `${clientName} ${info.startedBy}`.toLowerCase(),
    thread: (threadOf(info) ?? '').toLowerCase(),
    call: (toolCallOf(info) ?? '').toLowerCase(),
    state: statusText(info).toLowerCase(),
    label: (info.label ?? '').toLowerCase(),
    folder: info.cwd.toLowerCase(),
  };
}
