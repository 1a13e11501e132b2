// Closes gaps between the words of a command in a script: redirections, and words that may expand to nothing or to
// several words.

/** Stands for an expansion, because one that follows a redirection is its file. */
const EXPANDED = '\uE000';
/** Subshells and expansions without another one inside. */
const EXPANSION = /\$(?:\w+|[@*#?!$-])|\$\{[^{}]*\}|[$<>]?\(([^()]*)\)|`([^`]*)`/g;
/** A redirection with its file, such as `2>&1`, `{fd}< file` and `<<<word`. */
const REDIRECTION = /(?:\d{1,10}|\{\w{1,64}\}|&)?[<>]{1,3}[|&-]?[ \t]*[^\s;&|()<>`]*/g;
/** Characters that end a word. */
const BETWEEN = /([\s;&|()<>`]+)/;
/** Braces without others inside. */
const BRACES = /\{([^{}]*)\}/g;

/** Nesting that is followed. */
const DEEPEST = 8;
/** Maximum number and length of the words that one word with braces expands to. */
const MOST_WORDS = 5000;
const MOST_CHARS = 64 * 1024;

/**
 * Returns a script without quotes as it would be without redirections, with empty expansions, and with its alternatives
 * in braces as words. Commands of substitutions follow on lines of their own.
 */
export function withoutGaps(script: string): string {
  const inner: string[] = [];
  let text = script;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const shorter = text.replaceAll(EXPANSION, (_, inBrackets?: string, inBackticks?: string) => {
      inner.push(inBrackets ?? inBackticks ?? '');
      return EXPANDED;
    });
    if (shorter === text) break;
    text = shorter;
  }
  return [text, ...inner.filter(Boolean)]
    .join('\n')
    .replaceAll(REDIRECTION, ' ')
    .replaceAll(EXPANDED, '')
    .split(BETWEEN)
    .map((word) => (word.includes('{') ? alternatives(word).join(' ') : word))
    .join('');
}

/** Returns the words that a shell makes of a word with alternatives in braces, such as `-r{f,v}`. */
function alternatives(word: string): readonly string[] {
  let words: readonly string[] = [word];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const next = words.flatMap(firstAlternatives);
    if (next.length === words.length || lengthOf(next) > MOST_CHARS) break;
    words = next;
  }
  return words;
}

function firstAlternatives(word: string): readonly string[] {
  for (const { 0: found, 1: inner = '', index } of word.matchAll(BRACES)) {
    if (!inner.includes(',')) continue;
    const [before, after] = [word.slice(0, index), word.slice(index + found.length)];
    const each = inner.split(',');
    if (each.length > MOST_WORDS || each.length * (before.length + after.length) > MOST_CHARS) return [word];
    return each.map((one) => `${before}${one}${after}`);
  }
  return [word];
}

const lengthOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);
