// Palette results for the typed text: commands and processes, best match first.
import fuzzysort from 'fuzzysort';
import type { ProcessInfo } from '../../protocol/console.ts';
import { shortCommand } from '../../text/command-line.ts';
import { inOrder } from '../state/processes/process-order.ts';
import { stateText } from '../../text/process-words.ts';
import { distinctions } from '../state/processes/process-title.ts';
import type { Command } from './command.ts';
import { seenStore } from '../state/processes/seen.ts';
import { visible } from '../../text/visible.ts';

export interface PaletteItem {
  readonly id: string;
  readonly text: string;
  /** Additional names that are searched but not shown. */
  readonly words: string;
  readonly isDangerous: boolean;
  readonly does:
    | { readonly kind: 'command'; readonly command: Command }
    | { readonly kind: 'process'; readonly info: ProcessInfo };
  readonly hint: string;
  /** Text that distinguishes a process from others of the same name; null when none is needed. */
  readonly distinction: string | null;
}

export interface Offered {
  readonly item: PaletteItem;
  /** Indexes of the matched letters in the text. */
  readonly indexes: readonly number[];
}

/** Maximum number of results for typed text: with more matches than this, people type another letter. */
export const MOST_OFFERED = 60;
/** Maximum number of processes offered while nothing has been typed. */
const PROCESSES_AT_FIRST = 20;
/** Maximum number of characters of a process's text, since matching time grows with length. */
const LONGEST_TEXT = 300;
/**
 * Scores of an item in which each typed word is the start of a word: `beginning` when the first one starts the shown
 * text, `alsoCalled` when one is found only in the additional names. Scattered letters score at most 1.
 */
const SCORE = { beginning: 4, shown: 3, alsoCalled: 2 } as const;
/** Bonus for a text that contains the typed words as a phrase. */
const PHRASE_BONUS = 0.2;
const RECENT_BONUS = 0.1;
/** Penalty for dangerous commands, so that a harmless match is listed first. */
const DANGER_MALUS = 0.5;

export function paletteItems(
  commands: readonly Command[],
  processes: readonly ProcessInfo[],
  recent: readonly string[],
): readonly PaletteItem[] {
  const rank = ({ id }: Command): number => {
    const at = recent.indexOf(id);
    return at < 0 ? recent.length : at;
  };
  const distinct = distinctions(processes);
  return [
    ...commands
      .toSorted((a, b) => rank(a) - rank(b))
      .map((command) => ({
        id: command.id,
        text: command.title,
        words: command.words ?? '',
        isDangerous: command.isDangerous ?? false,
        does: { kind: 'command', command } as const,
        hint: recent.includes(command.id) ? 'recently used' : command.group,
        distinction: null,
      })),
    ...inOrder(processes, seenStore.getState()).processes.map((info) => ({
      id: `process-${info.key}`,
      text: `${info.label === null ? '' : `${visible(info.label)} `}${shortCommand(info.argv)}`.slice(
        0,
        LONGEST_TEXT,
      ),
      words: '',
      isDangerous: false,
      does: { kind: 'process', info } as const,
      hint: stateText(info),
      distinction: distinct.get(info.key) ?? null,
    })),
  ];
}

export function offered(
  items: readonly PaletteItem[],
  typed: string,
  recent: readonly string[],
): readonly Offered[] {
  if (typed.trim() === '') {
    const commands = items.filter(({ does }) => does.kind === 'command');
    const processes = items.filter(({ does }) => does.kind === 'process').slice(0, PROCESSES_AT_FIRST);
    return [...commands, ...processes].map((item) => ({ item, indexes: [] }));
  }
  const phrase = typed.trim().toLowerCase();
  const bonus = ({ id, text, isDangerous }: PaletteItem): number =>
    (text.toLowerCase().includes(phrase) ? PHRASE_BONUS : 0) +
    (recent.includes(id) ? RECENT_BONUS : 0) -
    (isDangerous ? DANGER_MALUS : 0);
  const begun = items.flatMap((item) => {
    const match = beginnings(item, wordsOf(typed));
    return match ? [{ item, indexes: match.indexes, score: match.score + bonus(item) }] : [];
  });
  const isBegun = new Set(begun.map(({ item }) => item));
  const others = items.filter((item) => !isBegun.has(item) && !item.isDangerous);
  const fuzzy = fuzzysort
    .go(typed.trim(), others, {
      key: ({ text }: PaletteItem) => text,
      limit: MOST_OFFERED,
      threshold: 0.3,
    })
    .map(({ obj, indexes, score }) => ({ item: obj, indexes, score: score + bonus(obj) }));
  return [...begun, ...fuzzy].toSorted((a, b) => b.score - a.score).slice(0, MOST_OFFERED);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns the score of an item and the indexes of its matched letters; null when a typed word is not the start of a
 * word of the item, or no word is typed.
 */
function beginnings(
  { text, words, isDangerous }: PaletteItem,
  typed: readonly string[],
): { readonly score: number; readonly indexes: readonly number[] } | null {
  if (typed.length === 0) return null;
  const shown = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)];
  const called = wordsOf(words);
  const indexes: number[] = [];
  let score: number =
    shown[0]?.[0].startsWith(typed[0] ?? '') && !isDangerous ? SCORE.beginning : SCORE.shown;
  for (const word of typed) {
    const match = shown.find((each) => each[0].startsWith(word));
    if (match) indexes.push(...Array.from(word, (_, at) => match.index + at));
    else if (called.some((each) => each.startsWith(word))) score = SCORE.alsoCalled;
    else return null;
  }
  return { score, indexes: [...new Set(indexes)].toSorted((a, b) => a - b) };
}
