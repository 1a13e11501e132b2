// Splits scripts of plain words into their commands, and finds the possible commands in all other scripts.
import { computes } from './computing-builtins.ts';
import { withoutGaps } from './script-gaps.ts';
import { shielded, unshielded, withWildcards, withoutEscapes } from './shielded.ts';
import { tailsOf } from './wrapped.ts';

/** Characters that are literal in every shell, except for `=` and `%` at the beginning of some words. */
const SAFE = /[\w@%+:,./=-]+/y;
const SINGLE_QUOTED = /'([^']*)'/y;
/** Quoted text without anything that a shell expands. */
const DOUBLE_QUOTED = /"([^"$`\\]*)"/y;
const BLANKS = /[ \t]+/y;
const OPERATOR = /&&|\|\|(?!\|)|;(?!;)|\|(?![&|])|\n/y;

/**
 * Keywords and builtins that cannot begin a command of a plain script, since many change or run the words after them.
 */
const NOT_PLAIN = new Set(
  (
    '! [[ alias bind builtin case command coproc declare disable do done elif else enable esac eval exec export fc fi ' +
    'for foreach function getopts hash history if in integer let local mapfile nocorrect noglob popd pushd read ' +
    'readarray readonly repeat rehash select set setopt shopt source . - then time times trap typeset unalias unfunction ' +
    'unset unsetopt until while zmodload autoload bindkey sched zle ' +
    'bg compctl compgen complete compopt dirs disown emulate fg float jobs logout print private suspend vared wait ' +
    'zcompile zformat zparseopts zstat zstyle strftime'
  ).split(' '),
);

/** Builtins with a word that is a command for later: for a name, a key, a time or each line of a file. */
export const STORING = new Set(
  'abbr alias bind bindkey compgen complete mapfile readarray sched set zpty'.split(' '),
);

/** Returns the command in a word after its name, as in `x=git push` and `"\C-x": git push`. */
export const withoutName = (word: string): string =>
  word.replace(/^(?:(?:[^=\s"']+=)+|"(?:[^"\\]|\\.)*"\s*:\s*)/, '');

/**
 * Returns the words of each command. Null unless every shell parses the whole script as plain words joined by `&&`,
 * `||`, `;`, `|` or newlines, and no builtin among them may set a variable or evaluate a word.
 */
export function plainScript(script: string): readonly (readonly string[])[] | null {
  const commands: string[][] = [[]];
  const joins: string[] = [];
  let word: string | null = null;
  let startsWithEquals = false;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    if (match) at += match[0].length;
    return match;
  };
  const endWord = (): boolean => {
    if (word === null) return true;
    const command = commands.at(-1) ?? [];
    // An assignment or a job (`%1`) is not a program; zsh replaces a word such as `=git` with the path of a
    // program.
    if (command.length === 0 && (!isProgram(word) || NOT_PLAIN.has(word))) return false;
    if (startsWithEquals) return false;
    command.push(word);
    word = null;
    startsWithEquals = false;
    return true;
  };
  while (at < script.length) {
    const safe = take(SAFE);
    const quoted = safe ? null : (take(SINGLE_QUOTED) ?? take(DOUBLE_QUOTED));
    if (safe || quoted) {
      // A quoted part further on does not make the `=` literal.
      startsWithEquals ||= word === null && safe !== null && safe[0].startsWith('=');
      word = (word ?? '') + (safe ? safe[0] : (quoted?.[1] ?? ''));
      continue;
    }
    if (!endWord()) return null;
    if (take(BLANKS)) continue;
    const operator = take(OPERATOR);
    if (!operator) return null;
    joins.push(operator[0]);
    commands.push([]);
  }
  if (!endWord()) return null;
  return commands.some(computes) ? null : joined(commands, joins);
}

const isProgram = (word: string): boolean =>
  word !== '' && !/^\w+(?:\[.*\])?\+?=/s.test(word) && !word.startsWith('%');

/** Returns the commands; null when an operator has nothing to join. Empty lines and a final `;` are allowed. */
function joined(
  commands: readonly (readonly string[])[],
  joins: readonly string[],
): readonly (readonly string[])[] | null {
  const last = commands.findLastIndex((words) => words.length > 0);
  if (last === -1) return null;
  for (const [at, operator] of joins.entries()) {
    if (operator === '\n') continue;
    const isLast = at === last && operator === ';' && joins.slice(at + 1).every((each) => each === '\n');
    // `a;` before the end of a line ends a command; shells differ in how they read `a &&` there.
    const isFollowed = commands[at + 1]?.length !== 0 || (operator === ';' && joins[at + 1] === '\n');
    if (commands[at]?.length === 0 || !(isFollowed || isLast)) return null;
  }
  return commands.filter((words) => words.length > 0);
}

/** Words that can precede a command, such as keywords and builtins that run the words after them. */
const BEFORE = new Set(
  (
    '! { ( if then elif else do while until time eval exec command builtin coproc trap noglob nocorrect repeat not and or ' +
    'begin }'
  ).split(' '),
);

/** A redirection with its file, which may have blanks in quotes. */
const QUOTED_FILE = /([<>]{1,3}[|&-]?[ \t]*)(?:[^\s;&|()<>`"']|"[^"]*"|'[^']*')+/g;
/** Escapes that stand for other characters in `$'…'`, `printf`, `env -S` and fish. */
const ESCAPES = /\\[\dA-Za-z_]/;

const withoutQuotes = (script: string): string =>
  script.replaceAll(/\\\n/g, '').replaceAll(/\$?["']|\\/g, '');

/** Characters between commands. The second pattern omits braces, because those within a word separate no commands. */
const BETWEEN = /([;&|\n(){}`<>$]+)/;
const BETWEEN_WORDS = /([;&|\n()`<>$]+)/;

/**
 * Ways to read a script: without its quotes (a quoted word may itself be a script), or with quoted characters shielded;
 * each also without gaps.
 */
const READINGS: readonly (readonly [(script: string) => string, RegExp])[] = [
  [withoutQuotes, BETWEEN],
  [(script) => withoutGaps(withoutQuotes(script.replaceAll(QUOTED_FILE, '$1x'))), BETWEEN],
  [shielded, BETWEEN],
  [(script) => withoutGaps(shielded(script)), BETWEEN_WORDS],
];

/**
 * Yields the possible commands of a script that is not plain. Words that the script builds at run time are not found,
 * and wildcards for names of files become `WILD`.
 */
export function* looseCommands(script: string): Generator<readonly string[]> {
  const texts = new Set<string>();
  for (const source of ESCAPES.test(script) ? [script, withoutEscapes(script)] : [script]) {
    for (const [read, between] of READINGS) {
      const text = read(source);
      const key = `${between.source}${text}`;
      if (!texts.has(key)) yield* piecewise(text, between);
      texts.add(key);
    }
  }
}

function* piecewise(script: string, between: RegExp): Generator<readonly string[]> {
  let before = '';
  for (const [at, piece] of script.split(between).entries()) {
    const words = piece.split(/[ \t\r]+/).filter(Boolean);
    for (const [index, word] of words.entries()) {
      const [, value] = STORED_COMMAND.exec(word) ?? [];
      if (value !== undefined)
        yield [value, ...words.slice(index + 1, index + MOST_WORDS)].map((each) =>
          unshielded(withWildcards(each)),
        );
    }
    const from = words.findIndex((word) => !BEFORE.has(word) && isProgram(word));
    if (from !== -1 && at % 2 === 0) {
      const command = words.slice(from).map((word) => unshielded(withWildcards(word)).replace(PREFIX, ''));
      // The file of a redirection precedes its command here, and options or a number may follow a word of `BEFORE`.
      const beginsAnywhere = /[<>]/.test(before) || /^[-\d]/.test(command[0] ?? '');
      if (beginsAnywhere) yield* tailsOf(command);
      else yield command;
    }
    before = piece;
  }
}

/** Assignment of a variable whose value a shell or another program runs as a command, by the usual names of such. */
const STORED_COMMAND = /^\w*(?:COMMAND|CMD|PAGER|EDITOR|VISUAL)\+?=(.*)$/is;
/** Maximum length, in words, of a command that follows such a name without quotes. */
const MOST_WORDS = 64;

/** Characters by which zsh (`=git`), nu (`^git`), elvish (`e:git`) and editors (`:!git`) name a program. */
const PREFIX = /^(?:[=^]|e:|[:+]?!)(?=\w)/;
