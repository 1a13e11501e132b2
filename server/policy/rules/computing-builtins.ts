// Shell builtins that set a variable or evaluate a word, which may itself run a command.

const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;
/** Conversions of `printf` that print text (or `%`), and those that print numbers. */
const OF_TEXTS = /%(?:[-+ #0]*\d*(?:\.\d+)?[sbqc]|%)/g;
const OF_NUMBERS = /%[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgG]/g;
/** Operators of `test` whose operands are names of variables or descriptors, and those whose operands are numbers. */
const OF_NAMES = new Set(['-v', '-R', '-t']);
const COMPARING = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const COUNTING = new Set(['exit', 'return', 'shift', 'break', 'continue']);

/** Returns true for a command that, as a builtin, may set a variable or run a command in one of its words. */
export function computes([program = '', ...words]: readonly string[]): boolean {
  if (program === 'printf') return printfComputes(words);
  if (program === 'test' || program === '[') return testComputes(words);
  return COUNTING.has(program) && !words.every(isNumber);
}

const isNumber = (word: string): boolean => NUMBER.test(word);

function printfComputes([format = '', ...values]: readonly string[]): boolean {
  if (format.startsWith('-')) return true;
  const rest = format.replaceAll(OF_TEXTS, '');
  if (!rest.includes('%')) return false;
  return rest.replaceAll(OF_NUMBERS, '').includes('%') || !values.every(isNumber);
}

const testComputes = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const [before = '', after = ''] = [words[at - 1], words[at + 1]];
    if (OF_NAMES.has(word)) return !isNumber(after);
    return COMPARING.has(word) && !(isNumber(before) && isNumber(after));
  });
