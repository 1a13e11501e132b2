// Closes gaps between the words of a command in a script: redirections, and words that may expand to nothing or to
// several words.
import { WILD } from './shielded.ts';

/**
 * Placeholder for an expansion; one after a redirection counts as the redirection's file, and is removed with
 * it.
 */
const EXPANDED = '\uE000';
/** Subshells and expansions that contain no others. */
const EXPANSION = /\$(\d|\w+|[@*#?!$-])|\$\{([^{}]*)\}|([\w/.]?)([$<>@?*+!]?)\(([^()]*)\)|`([^`]*)`/g;
/** Value of an expansion when its variable is not set, as in `${x:-value}`. */
const DEFAULT = /^(?:\w+:?[-=]|:-)([^]*)$/;
/** A redirection with its file, such as `2>&1`, `{fd}< file` and `<<<word`. */
const REDIRECTION = /(?:\d{1,10}|\{\w{1,64}\}|&)?[<>]{1,3}[|&-]?[ \t]*[^\s;&|()<>`]*/g;
/** Characters that end a word. */
const BETWEEN = /([\s;&|()<>`]+)/;
/** Alternatives and ranges in braces that contain no others. */
const BRACES = /\{([^{},]*(?:,[^{},]*)+|[\w-]+\.\.[\w-]+(?:\.\.-?\d+)?)\}/;
const ALL_BRACES = new RegExp(BRACES, 'g');

/** Maximum nesting of substitutions that is resolved. */
const DEEPEST = 16;
/** Limits on brace expansion: words from one word, steps for one word, and characters of the whole script. */
const MOST_WORDS = 5000;
const MOST_STEPS = 64;
const MOST_CHARS = 64 * 1024;

/**
 * Returns a script, given without its quotes, in which redirections are removed, expansions become empty or their
 * default value, and alternatives in braces become words. The commands of substitutions follow on separate lines.
 */
export function withoutGaps(script: string): string {
  let text = script;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const inner: string[] = [];
    const shorter = text.replaceAll(
      EXPANSION,
      (
        _,
        name?: string,
        inBraces?: string,
        glued = '',
        sign = '',
        inBrackets?: string,
        inBackticks?: string,
      ) => {
        inner.push(inBrackets ?? inBackticks ?? '');
        // Parentheses in a word, unless `$`, `<` or `>` precedes them, are a pattern of file names.
        const isPattern =
          Boolean(inBrackets) && (/[@?*+]/.test(sign) || (glued !== '' && !/[$<>]/.test(sign)));
        const value = DEFAULT.exec(inBraces ?? '')?.[1] ?? '';
        const blank = (name ?? inBraces ?? '').startsWith('IFS') ? ' ' : '';
        // Empty parentheses after a name define a function, whose command follows.
        if (inBrackets?.trim() === '' && glued !== '' && sign === '') return `${glued};`;
        return `${glued}${isPattern ? '*' : EXPANDED}${value}${blank}`;
      },
    );
    if (shorter === text) break;
    text = [shorter, ...inner.filter(Boolean)].join('\n');
  }
  let left = MOST_CHARS;
  return text
    .replaceAll(REDIRECTION, ' ')
    .replaceAll(EXPANDED, '')
    .split(BETWEEN)
    .map((word) => {
      if (!word.includes('{')) return word;
      const words = left > 0 ? alternatives(word) : [word];
      left -= lengthOf(words);
      // Remaining braces may expand to any text.
      return words.map((each) => each.replaceAll(ALL_BRACES, WILD)).join(' ');
    })
    .join('');
}

/**
 * Returns the words into which a shell expands a word with braces, such as `-r{f,v}` and `pus{h..h}`. Braces beyond the
 * limits remain, or become `WILD`.
 */
function alternatives(word: string): readonly string[] {
  let words: readonly string[] = [word];
  for (let step = 0; step < MOST_STEPS && words.some((each) => BRACES.test(each)); step += 1) {
    const next = words.flatMap(firstAlternatives);
    if (next.length > MOST_WORDS || lengthOf(next) > MOST_CHARS) break;
    words = next;
  }
  return words;
}

function firstAlternatives(word: string): readonly string[] {
  const match = BRACES.exec(word);
  if (!match) return [word];
  const { 0: found, 1: inner = '', index } = match;
  const [before, after] = [word.slice(0, index), word.slice(index + found.length)];
  const each = inner.includes(',') ? inner.split(',') : rangeOf(inner);
  if (each.length * (before.length + after.length) > MOST_CHARS) return [`${before}${WILD}${after}`];
  return each.map((one) => `${before}${one}${after}`);
}

/**
 * Returns the words of a range such as `a..f` and `1..9`; `WILD` when there are too many. Other text stays in its
 * braces.
 */
function rangeOf(range: string): readonly string[] {
  const [from = '', to = ''] = range.split('..');
  const areNumbers = /^-?\d+$/.test(from) && /^-?\d+$/.test(to);
  if (!areNumbers && (from.length !== 1 || to.length !== 1)) return [`{${range}}`];
  const codeOf = (text: string): number => (areNumbers ? Number(text) : text.charCodeAt(0));
  const [low = 0, high = 0] = [codeOf(from), codeOf(to)].toSorted((one, other) => one - other);
  if (high - low > MOST_WORDS) return [WILD];
  return Array.from({ length: high - low + 1 }, (_, at) =>
    areNumbers ? `${low + at}` : String.fromCharCode(low + at),
  );
}

const lengthOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);
