// Spells a command in random ways, each a bash script that runs the command.
import type { Dice } from '../../../../client/testing/dice.ts';

const hex = (letter: string): string => letter.charCodeAt(0).toString(16);
const octal = (letter: string): string => letter.charCodeAt(0).toString(8);

/** Spellings of one letter within a word. */
const LETTERS: readonly [(letter: string) => string, ...((letter: string) => string)[]] = [
  (letter) => `'${letter}'`,
  (letter) => `"${letter}"`,
  (letter) => `\\${letter}`,
  (letter) => `''${letter}`,
  (letter) => `\\\n${letter}`,
  (letter) => `$'${letter}'`,
  (letter) => `$'\\x${hex(letter)}'`,
  (letter) => `$'\\${octal(letter)}'`,
  (letter) => `$'\\u00${hex(letter)}'`,
  (letter) => `$'\\x${hex(letter)}\\0x'`,
  (letter) => (/\w/.test(letter) ? `{${letter}..${letter}}` : letter),
  (letter) => `\${unset}${letter}`,
  (letter) => `$(true)${letter}`,
  (letter) => `\`true\`${letter}`,
  (letter) => `\${unset:-${letter}}`,
];

const GAPS: readonly [string, ...string[]] = [
  ' ',
  '\t ',
  ' \\\n ',
  ' 2>/dev/null ',
  ' >"a b" ',
  ' 2> \'a; b\' <<<"c d" ',
  ' 2>&1 ',
  ' $unset ',
  ' ${unset:-} ',
  ' $(true) ',
  ' >$(echo /dev/null) ',
  '$IFS$9',
  '${IFS}',
];

const BEFORE: readonly [string, ...string[]] = [
  '',
  'X="a b" ',
  "X='a; b' Y=c ",
  "X=$'a \\' b' ",
  'X=$(echo "a b") ',
  'X="$(echo "a b")" ',
  'X="a `echo b c` d" ',
  'X="${unset:-"a b"}" ',
  "X=a' 'b ",
  'X=a\\ b ',
  'X+="a b" ',
  'A[0]="a b" ',
  'A=(a "b c"); ',
  'X={a ',
  '>"a b" ',
  '2>/dev/null X="a b" ',
  '! ',
  'time -p ',
  'true && ',
  'false || ',
  'true; ',
  'true | ',
  'true & ',
  "# don't\n",
  "cat <<E\ndon't\nE\n",
  "cat <<'E F' <<-G >/dev/null\n'\nE F\n\t`\n\tG\n",
  "echo 'it'\"'\"'s' \"it's\" it\\'s; ",
];
/** Prefixes that can be put before a command that is not a builtin. */
const WRAPPERS: readonly [string, ...string[]] = [
  '',
  '',
  'command ',
  'exec ',
  'exec -a "a b" ',
  'env X="a b" ',
  'env -i X="a b" PATH="$PATH" ',
  'nice -n 5 ',
  'timeout -s KILL 10 ',
  'flock ls ',
];
const AROUND: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['', ''],
  ['(', ')'],
  ['{ ', '; }'],
  ['if true; then ', '; fi'],
  ['for x in "a b"; do ', '; done'],
  ['case x in x) ', ';; esac'],
  ['f() { ', '; }; f'],
  ['echo $(', ')'],
  ['echo "$(', ')"'],
  ['X="a b $(', ') c"'],
  ['cat <(', ')'],
  ['', ' >"a b"'],
  ['', ' &'],
  ['', " # it's"],
];

/** Ways to quote a script as one word. */
const QUOTES: readonly [(script: string) => string, ...((script: string) => string)[]] = [
  (script) => `'${script.replaceAll("'", `'\\''`)}'`,
  (script) => `"${script.replaceAll(/["$`\\]/g, '\\$&')}"`,
  (script) => `$'${script.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
];
const NESTED: readonly [
  (script: string, word: string) => string,
  ...((script: string, word: string) => string)[],
] = [
  (_, word) => `eval ${word}`,
  (_, word) => `bash -c ${word}`,
  (_, word) => `bash -c ${word} >"a b"`,
  (_, word) => `bash <<<${word}`,
  (_, word) => `trap ${word} EXIT`,
  (_, word) => `echo ${word} | bash`,
  (_, word) => `echo ${word} | bash >x`,
  (_, word) => `printf %s ${word} | env bash`,
  (_, word) => `env bash -c ${word}`,
  (script) => `bash <<'END'\n${script}\nEND\n`,
  (script) => `cat <<'END' | bash\n${script}\nEND\n`,
];

/** Returns a script that runs the command, in one of many spellings. */
export function spelled(words: readonly string[], dice: Dice): string {
  let script = words.map((word, at) => `${at > 0 ? gap(dice) : ''}${spelledWord(word, dice)}`).join('');
  script = `${dice.oneOf(WRAPPERS)}${script}`;
  for (let depth = dice.pick(0, 2); depth >= 0; depth -= 1) {
    const [open, close] = dice.oneOf(AROUND);
    script = `${open}${dice.oneOf(BEFORE)}${script}${close}`;
    if (depth > 0) script = dice.oneOf(NESTED)(script, dice.oneOf(QUOTES)(script));
  }
  return script;
}

const gap = (dice: Dice): string => dice.oneOf(GAPS);

function spelledWord(word: string, dice: Dice): string {
  const share = dice.oneOf([0, 0.3, 1]);
  return word.replaceAll(/./g, (letter) => (dice.chance(share) ? dice.oneOf(LETTERS)(letter) : letter));
}
