// Verdict on the mutants of one folder: its score, and the survivors for which no reason is listed.

/** A mutant after its run, in the form of Stryker's results. */
export interface Mutant {
  readonly fileName: string;
  readonly mutatorName: string;
  readonly status: string;
  readonly replacement?: string;
  /** Lines and columns from 1; the end is exclusive. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A survivor that no test can or should detect; found by its text, since line numbers change. */
export interface Listed {
  readonly file: string;
  readonly code: string;
  readonly becomes: string;
  readonly reason: string;
}

export interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly becomes: string;
}

export interface Verdict {
  readonly mutants: number;
  readonly detected: number;
  /** Detected share in percent; 100 without mutants. */
  readonly score: number;
  /** Survivors without a listed reason. */
  readonly unexplained: readonly Survivor[];
  /** Number of survivors with a listed reason. */
  readonly explained: number;
  /** Listed survivors that are detected now or no longer exist. */
  readonly outdated: readonly Listed[];
}

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

/** Maximum length of code in a report and in the list. */
const MOST_LETTERS = 120;

/** Judges the mutants of a folder, except those that could not run. `read` returns the text of a mutated file. */
export function judge(
  mutants: readonly Mutant[],
  listed: readonly Listed[],
  read: (file: string) => string,
): Verdict {
  const detected = mutants.filter(({ status }) => DETECTED.has(status)).length;
  const survivors = mutants
    .filter(({ status }) => UNDETECTED.has(status))
    .map((mutant) => survivorOf(mutant, read(mutant.fileName)));
  const unexplained = survivors.filter((survivor) => !listed.some((each) => isSame(each, survivor)));
  const all = detected + survivors.length;
  return {
    mutants: all,
    detected,
    score: all === 0 ? 100 : (100 * detected) / all,
    unexplained,
    explained: survivors.length - unexplained.length,
    outdated: listed.filter((each) => !survivors.some((survivor) => isSame(each, survivor))),
  };
}

const isSame = (listed: Listed, { file, code, becomes }: Survivor): boolean =>
  listed.file === file && listed.code === code && listed.becomes === becomes;

function survivorOf({ fileName: file, location, replacement = '' }: Mutant, text: string): Survivor {
  const { start, end } = location;
  const lines = text.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const code = lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join('\n');
  return { file, line: start.line, code: short(code), becomes: short(replacement) };
}

/** Returns the code on one line, truncated to `MOST_LETTERS`. */
const short = (code: string): string => code.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_LETTERS);
