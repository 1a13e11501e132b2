// Short names of processes that still distinguish processes of the same program.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { baseName, briefCommand } from '../../../text/command-line.ts';
import { NARROW, distinctTexts, WIDE, type Room } from './distinct-texts.ts';
import { headOf } from '../../../text/cut.ts';

type Processes = { readonly [key: string]: ProcessInfo };
type Called = Pick<ProcessInfo, 'key' | 'label' | 'argv' | 'cwd' | 'pid'>;

/** Maximum length in characters of a title made from a command. */
const LONGEST_TITLE = 400;

/** Returns the label of the process, otherwise its shortened command. */
export function processTitle({ label, argv }: Pick<Called, 'label' | 'argv'>): string {
  return label === null ? briefly(argv) : visible(label);
}

/**
 * Returns the label or, without one, the shortened command; for commands with the same beginning, it shows where they
 * differ.
 */
export function titleAmong(processes: Processes, { label, argv }: Pick<Called, 'label' | 'argv'>): string {
  return label === null ? commandAmong(processes, argv) : visible(label);
}

/** Returns the label, or a title for a space of about a dozen letters. */
export function tightTitleAmong(
  processes: Processes,
  { label, argv }: Pick<Called, 'label' | 'argv'>,
): string {
  return label === null ? titleIn(narrowTitles(processes), argv) : visible(label);
}

/** Title of a process in three lengths; a label is shown whole in all of them. */
export interface Titles {
  readonly whole: string;
  /** The beginning and the distinguishing part, shown where the whole title does not fit. */
  readonly cut: string;
  /** The title for a space of about a dozen letters. */
  readonly tight: string;
}

export const titlesOf = (processes: Processes, { label, argv }: Pick<Called, 'label' | 'argv'>): Titles =>
  label === null
    ? commandTitles(processes, argv)
    : { whole: visible(label), cut: visible(label), tight: visible(label) };

/** Returns the titles of a command without a label. */
export const commandTitles = (processes: Processes, argv: readonly string[]): Titles => ({
  whole: briefly(argv),
  cut: commandAmong(processes, argv),
  tight: titleIn(narrowTitles(processes), argv),
});

function commandAmong(processes: Processes, argv: readonly string[]): string {
  return titleIn(wideTitles(processes), argv);
}

function titleIn(words: ReadonlyMap<string, string>, argv: readonly string[]): string {
  const brief = briefly(argv);
  return words.get(brief) ?? brief;
}

/** Shortened commands by argv array, which never changes, so that each is computed only once. */
const briefs = new WeakMap<readonly string[], string>();

function briefly(argv: readonly string[]): string {
  const known = briefs.get(argv);
  if (known !== undefined) return known;
  const brief = headOf(briefCommand(argv), LONGEST_TITLE);
  briefs.set(argv, brief);
  return brief;
}

interface Reported {
  readonly of: Processes;
  readonly texts: ReadonlySet<string>;
  readonly words: ReadonlyMap<string, string>;
}

/**
 * Returns a function that shortens the commands again only when the set of commands changes, not on each
 * start or end.
 */
function remembering(room: Room): (processes: Processes) => ReadonlyMap<string, string> {
  let last: Reported = { of: {}, texts: new Set(), words: new Map() };
  return (processes) => {
    if (last.of === processes) return last.words;
    const texts = new Set(Object.values(processes).map(({ argv }) => briefly(argv)));
    const isSame = texts.size === last.texts.size && [...texts].every((text) => last.texts.has(text));
    last = { of: processes, texts, words: isSame ? last.words : distinctTexts(texts, room) };
    return last.words;
  };
}

const wideTitles = remembering(WIDE);
const narrowTitles = remembering(NARROW);

/**
 * Returns, by key, the text that distinguishes processes with the same title: the folder if all of them differ in it,
 * otherwise the PID.
 * Processes with a unique title have no entry.
 */
export function distinctions(infos: readonly Called[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const byTitle = new Map<string, Called[]>();
  for (const info of infos) {
    const title = processTitle(info);
    byTitle.set(title, [...(byTitle.get(title) ?? []), info]);
  }
  for (const same of byTitle.values()) {
    if (same.length < 2) continue;
    const folders = new Set(same.map(({ cwd }) => baseName(cwd)));
    for (const { key, cwd, pid } of same) {
      found.set(key, folders.size === same.length ? visible(baseName(cwd)) : `PID ${pid}`);
    }
  }
  return found;
}
