// What a process is called where there is little room: short, and still told from others of the same program.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { visible } from '../ui/visible.ts';
import { baseName, commandLine, scriptOf } from './command-line.ts';

type Called = Pick<ProcessInfo, 'key' | 'label' | 'argv' | 'cwd' | 'pid'>;

/** More say nothing more where there is room for three. */
const MOST_WORDS = 4;
/** A script is cut where it is drawn; nobody draws more. */
const LONGEST_TITLE = 200;

/** As a person called it, else its program and what it was told first: `npm run dev`, `python3 train.py`. */
export function processTitle({ label, argv }: Pick<Called, 'label' | 'argv'>): string {
  if (label !== null) return visible(label);
  const script = scriptOf(argv);
  if (script !== null) return visible(script.trim().slice(0, LONGEST_TITLE));
  const [program = '', ...rest] = argv;
  const telling = rest.filter((word) => !word.startsWith('-'));
  const words = [program, ...(telling.length > 0 ? telling : rest).slice(0, MOST_WORDS)];
  return commandLine(words.map(baseName)).slice(0, LONGEST_TITLE);
}

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
