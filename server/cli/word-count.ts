// Checks the words of a command line; errors name the surplus, missing, empty or unknown word, and what is expected.
import type { Subcommand } from './subcommand.ts';
import { suggestion } from './near-miss.ts';
import { UsageError } from './usage-error.ts';

const both = new Intl.ListFormat('en');
const oneOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** Throws UsageError when any word is left over; `usage`: what the command accepts. */
export function refuseSurplus(surplus: readonly string[], usage: string): void {
  if (surplus.length === 0) return;
  const named = both.format(surplus.map((word) => `"${word}"`));
  throw new UsageError(
    `unexpected ${surplus.length === 1 ? 'argument' : 'arguments'} ${named}; usage: exec-console ${usage}`,
  );
}

/**
 * Throws UsageError when a word is empty, for example because a script's variable is unset: as the beginning of a
 * key, it would select every process.
 */
export function refuseEmpty(words: readonly string[], usage: string): void {
  const at = words.indexOf('');
  if (at >= 0) throw new UsageError(`argument ${at + 1} is empty; usage: exec-console ${usage}`);
}

/**
 * Throws UsageError unless there are `count` words, none of them empty; with `isOpen`, unless there are at least
 * `count` words, which may be empty.
 */
export function checkCount(
  words: readonly string[],
  { count, isOpen = false, usage }: { count: number; isOpen?: boolean; usage: string },
): void {
  if (words.length < count) {
    // Words in capitals outside brackets are required.
    const required = usage.replaceAll(/\[[^\]]*\]/g, '').match(/\b[A-Z]{2,}\b/g) ?? ['an argument'];
    const [name = ''] = usage.split(' ');
    throw new UsageError(
      `${name} needs ${both.format(required.slice(words.length))}; usage: exec-console ${usage}`,
    );
  }
  if (isOpen) return;
  refuseSurplus(words.slice(count), usage);
  refuseEmpty(words, usage);
}

/** Returns the word if it names an act of the command, such as `create` of `token`; otherwise throws UsageError. */
export function actOf(name: string, { acts = [], usage }: Subcommand, word: string | undefined): string {
  const names = acts.map((act) => act.name);
  if (word === undefined)
    throw new UsageError(`${name} needs ${oneOf.format(names)}; usage: exec-console ${usage}`);
  if (names.includes(word)) return word;
  throw new UsageError(`${name} ${word}: expected one of ${names.join(', ')}${suggestion(word, names)}`);
}
