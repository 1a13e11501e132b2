// The completion script for fish.
import type { FlagSpec, FlagSpecs } from './arguments.ts';
import { ADDRESS_FLAGS, firstWords, namesFrom, quoted, secondWords, type Completed } from './completed.ts';
import type { Subcommand } from './subcommand.ts';

export const fishScript = ({ commands, gatewayFlags, flagsOf }: Completed): string =>
  [
    '# fish completion for exec-console',
    NAMES,
    'complete -c exec-console -f',
    ...flagLines("'__fish_use_subcommand'", gatewayFlags),
    ...[...commands].map(
      ([name, { summary }]) =>
        `complete -c exec-console -n '__fish_use_subcommand' -a ${name} -d ${quoted(summary)}`,
    ),
    ...[...commands].flatMap(([name, command]) => {
      const condition = `'__fish_seen_subcommand_from ${name}'`;
      return [...flagLines(condition, flagsOf(command)), ...wordLines(condition, command)];
    }),
    '',
  ].join('\n');

/** Function that prints names of processes of the gateway that the command line selects. */
const NAMES = `function __exec_console_names
    set -l words (commandline -opc)
    set -l gateway
    for index in (seq (count $words))
        switch $words[$index]
            case ${ADDRESS_FLAGS.join(' ')}
                set -a gateway $words[$index] (string replace -r '^~/' $HOME/ -- $words[(math $index + 1)])
            case ${ADDRESS_FLAGS.map((flag) => `'${flag}=*'`).join(' ')}
                set -a gateway $words[$index]
        end
    end
    exec-console $argv[1] --quiet $gateway 2>/dev/null
end`;

function flagLines(condition: string, flags: FlagSpecs): string[] {
  return Object.entries(flags).map(
    ([name, spec]) =>
      `complete -c exec-console -n ${condition}${spec.short === undefined ? '' : ` -s ${spec.short}`} -l ${name}${valueOf(spec)} -d ${quoted(spec.about)}`,
  );
}

function valueOf({ type, completes }: FlagSpec): string {
  if (type === 'boolean') return '';
  if (completes === undefined) return ' -x';
  if (completes === 'file') return ' -r -F';
  if (completes === 'folder') return " -x -a '(__fish_complete_directories)'";
  // The tab adds an empty description; without one, fish would show the flag's description for each value.
  return ` -x -a '(printf "%s\\t\\n" ${completes.join(' ')})'`;
}

/** Returns the condition, extended to require that none of the words precedes the cursor. */
const andNone = (condition: string, words: readonly string[]): string =>
  condition.replace(/'$/, `; and not __fish_seen_subcommand_from ${words.join(' ')}'`);

/** Start of a fish test that compares the number of words before the cursor, not counting flags. */
const WORDS = 'test (count (commandline -opc | string match -v -- "-*"))';

function wordLines(condition: string, command: Subcommand): string[] {
  const line = (rest: string, where = condition): string => `complete -c exec-console -n ${where} ${rest}`;
  const words = firstWords(command);
  if (words) {
    const seconds = secondWords(command);
    const isFirst = seconds.length === 0 ? condition : andNone(condition, words);
    const firsts = command.acts
      ? command.acts.map(({ name, about }) => line(`-a ${name} -d ${quoted(about)}`, isFirst))
      : [line(`-a ${quoted(words.join(' '))}`, isFirst)];
    const after = seconds.map(({ first, words: second }) => {
      const isSecond = condition.replace(/'$/, `; and __fish_seen_subcommand_from ${first}'`);
      if ('namesFrom' in second) return line(`-a '(__exec_console_names ${second.namesFrom})'`, isSecond);
      return line(`-a ${quoted(second.join(' '))}`, andNone(isSecond, second));
    });
    return [...firsts, ...after];
  }
  const names = namesFrom(command);
  if (names !== null) {
    const { completesSecond: second } = command;
    if (!second) return [line(`-a '(__exec_console_names ${names})'`)];
    const at = (place: string, words: string): string =>
      `complete -c exec-console -n ${condition.replace(/'$/, `; and ${WORDS} ${place}'`)} -a ${words}`;
    return [at('-lt 3', `'(__exec_console_names ${names})'`), at('-ge 3', quoted(second.join(' ')))];
  }
  return command.words === 'commandLine' ? [line("-a '(__fish_complete_subcommand)'")] : [];
}
