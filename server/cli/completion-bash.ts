// The completion script for bash 3.2 and later.
import type { FlagSpec, FlagSpecs } from './arguments.ts';
import { ADDRESS_FLAGS, firstWords, namesFrom, secondWords, type Completed } from './completed.ts';
import type { Subcommand } from './subcommand.ts';

export const bashScript = ({
  commands,
  gatewayFlags,
  flagsOf,
}: Completed): string => `# bash completion for exec-console
_exec_console_words() {
  local word
  while IFS= read -r word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
}
_exec_console_files() {
  compopt -o filenames 2>/dev/null
  _exec_console_words < <(compgen "$1" -- "$current")
}
_exec_console_names() {
  _exec_console_words < <(exec-console "$1" --quiet \${gateway[@]+"\${gateway[@]}"} 2>/dev/null)
}
# Bash splits words at equals signs and colons.
_exec_console_value() {
  local flag=\${COMP_WORDS[index]} value
  ((index += 1))
  if [[ \${COMP_WORDS[index]} == = ]]; then ((index += 1)); fi
  value=\${COMP_WORDS[index]}
  while ((index + 2 < COMP_CWORD)) && [[ \${COMP_WORDS[index+1]} == : ]]; do
    value+=:\${COMP_WORDS[index+2]}
    ((index += 2))
  done
  case $flag in
    ${ADDRESS_FLAGS.join('|')})
      value=\${value//[\\"\\'\\\\]/}
      if [[ $value == '~/'* ]]; then value=$HOME\${value:1}; fi
      gateway+=("$flag" "$value")
      ;;
  esac
}
_exec_console() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= first= place=1 index
  local gateway=()
  COMPREPLY=()
  if ((COMP_CWORD > 1)) && [[ \${COMP_WORDS[1]} != -* ]]; then command=\${COMP_WORDS[1]}; fi
  case "$command $previous" in
${[
  valueCases('', gatewayFlags),
  ...[...commands].map(([name, command]) => valueCases(name, flagsOf(command))),
]
  .flat()
  .join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
      '') _exec_console_words <<<${lines(flagNames(gatewayFlags))} ;;
${[...commands]
  .map(([name, command]) => `      ${name}) _exec_console_words <<<${lines(flagNames(flagsOf(command)))} ;;`)
  .join('\n')}
    esac
    return
  fi
  if ((COMP_CWORD == 1)); then
    _exec_console_words <<<${lines([...commands.keys()])}
    return
  fi
  for ((index = 2; index < COMP_CWORD; index += 1)); do
    case "$command \${COMP_WORDS[index]}" in
${[...commands].flatMap(([name, command]) => skipCase(name, flagsOf(command))).join('\n')}
      *' '-*) ;;
      *)
        if ((place == 1)); then first=\${COMP_WORDS[index]}; fi
        ((place += 1))
        ;;
    esac
  done
  case "$command$place" in
${[...commands].flatMap(([name, command]) => wordCase(name, command)).join('\n')}
  esac
}
complete -F _exec_console exec-console
`;

const lines = (words: readonly string[]): string => `$'${words.join(String.raw`\n`)}'`;

const flagNames = (flags: FlagSpecs): string[] => Object.keys(flags).map((name) => `--${name}`);

const spellings = (command: string, name: string, { short }: FlagSpec): string =>
  [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
    .map((flag) => `'${command} ${flag}'`)
    .join('|');

const taking = (flags: FlagSpecs): [string, FlagSpec][] =>
  Object.entries(flags).filter(([, { type }]) => type === 'string');

/** Returns a case for each flag with a value; it completes the value, or offers nothing when the value is free text. */
function valueCases(command: string, flags: FlagSpecs): string[] {
  return taking(flags).map(([name, spec]) => {
    const { completes } = spec;
    const act =
      completes === undefined
        ? ''
        : completes === 'file'
          ? '_exec_console_files -f; '
          : completes === 'folder'
            ? '_exec_console_files -d; '
            : `_exec_console_words <<<${lines(completes)}; `;
    return `    ${spellings(command, name, spec)}) ${act}return ;;`;
  });
}

/** Returns the case that reads flags with a value, so that the value does not count as a word. */
function skipCase(command: string, flags: FlagSpecs): string[] {
  const patterns = taking(flags).map(([name, spec]) => spellings(command, name, spec));
  return patterns.length === 0 ? [] : [`      ${patterns.join('|')}) _exec_console_value ;;`];
}

function wordCase(name: string, command: Subcommand): string[] {
  const words = firstWords(command);
  if (words) {
    const after = secondWords(command).map(({ first, words: second }) => {
      const offer =
        'namesFrom' in second
          ? `_exec_console_names ${second.namesFrom}`
          : `_exec_console_words <<<${lines(second)}`;
      return `[[ $first != ${first} ]] || ${offer}`;
    });
    return [
      `    ${name}1) _exec_console_words <<<${lines(words)} ;;`,
      ...(after.length > 0 ? [`    ${name}2) ${after.join('; ')} ;;`] : []),
    ];
  }
  const names = namesFrom(command);
  if (names !== null) {
    const { completesSecond: second } = command;
    return [
      `    ${name}1) _exec_console_names ${names} ;;`,
      ...(second ? [`    ${name}2) _exec_console_words <<<${lines(second)} ;;`] : []),
    ];
  }
  if (command.words !== 'commandLine') return [];
  return [
    `    ${name}1) _exec_console_words < <(compgen -c -- "$current") ;;`,
    `    ${name}*) _exec_console_files -f ;;`,
  ];
}
