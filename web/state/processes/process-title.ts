// What a process is called where there is little room: short, and still told from others of the same program.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { baseName, briefCommand } from '../../../text/command-line.ts';
import { NARROW, toldApart, WIDE, type Room } from './told-apart.ts';

type Processes = { readonly [key: string]: ProcessInfo };
type Called = Pick<ProcessInfo, 'key' | 'label' | 'argv' | 'cwd' | 'pid'>;

/** A script is cut where it is drawn; nobody draws more. */
const LONGEST_TITLE = 400;

/** As a person called it, else its command in brief. */
export function processTitle({ label, argv }: Pick<Called, 'label' | 'argv'>): string {
  return label === null ? briefly(argv) : visible(label);
}

/** The same where others stand beside it: of commands that begin alike it says what differs. */
export function titleAmong(processes: Processes, { label, argv }: Pick<Called, 'label' | 'argv'>): string {
  return label === null ? commandAmong(processes, argv) : visible(label);
}

/** The same where there is room for a dozen letters. */
export function tightTitleAmong(
  processes: Processes,
  { label, argv }: Pick<Called, 'label' | 'argv'>,
): string {
  return label === null ? told(toldNarrowly(processes), argv) : visible(label);
}

/** A title as there is room for it. */
export interface Titles {
  readonly whole: string;
  /** Its beginning and the part that tells it from others, where the whole does not fit. */
  readonly cut: string;
  /** The same where there is room for a dozen letters. */
  readonly tight: string;
}

export const titlesOf = (processes: Processes, { label, argv }: Pick<Called, 'label' | 'argv'>): Titles =>
  label === null
    ? commandTitles(processes, argv)
    : { whole: visible(label), cut: visible(label), tight: visible(label) };

/** The command alone, whatever a person called it. */
export const commandTitles = (processes: Processes, argv: readonly string[]): Titles => ({
  whole: briefly(argv),
  cut: commandAmong(processes, argv),
  tight: told(toldNarrowly(processes), argv),
});

function commandAmong(processes: Processes, argv: readonly string[]): string {
  return told(toldWidely(processes), argv);
}

function told(words: ReadonlyMap<string, string>, argv: readonly string[]): string {
  const brief = briefly(argv);
  return words.get(brief) ?? brief;
}

/** An argv never changes; of ten thousand processes it is put into words once. */
const briefs = new WeakMap<readonly string[], string>();

function briefly(argv: readonly string[]): string {
  const known = briefs.get(argv);
  if (known !== undefined) return known;
  const brief = briefCommand(argv).slice(0, LONGEST_TITLE);
  briefs.set(argv, brief);
  return brief;
}

interface Told {
  readonly of: Processes;
  readonly texts: ReadonlySet<string>;
  readonly words: ReadonlyMap<string, string>;
}

/** Once for each change of the list; what starts or ends with a command that is there already changes nothing. */
function remembering(room: Room): (processes: Processes) => ReadonlyMap<string, string> {
  let last: Told = { of: {}, texts: new Set(), words: new Map() };
  return (processes) => {
    if (last.of === processes) return last.words;
    const texts = new Set(Object.values(processes).map(({ argv }) => briefly(argv)));
    const isSame = texts.size === last.texts.size && [...texts].every((text) => last.texts.has(text));
    last = { of: processes, texts, words: isSame ? last.words : toldApart(texts, room) };
    return last.words;
  };
}

const toldWidely = remembering(WIDE);
const toldNarrowly = remembering(NARROW);

/** What tells each of those that are called the same from the others: its folder, else its PID; nothing for the rest. */
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
