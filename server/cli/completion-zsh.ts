// The completion script for zsh.
import type { FlagSpec, FlagSpecs } from './arguments.ts';
import { ADDRESS_FLAGS, firstWords, namesFrom, secondWords, type Completed } from './completed.ts';
import type { Subcommand } from './subcommand.ts';

export const zshScript = ({ commands, gatewayFlags, flagsOf }: Completed): string => `#compdef exec-console
_exec_console_names() {
  local -a names gateway
  local index
  for ((index = 2; index < CURRENT; index += 1)); do
    case $words[index] in
      ${ADDRESS_FLAGS.join('|')}) gateway+=($words[index] \${\${(Q)words[index+1]}/#\\~\\//$HOME/}) ;;
      ${ADDRESS_FLAGS.map((flag) => `${flag}=*`).join('|')}) gateway+=(\${(Q)words[index]}) ;;
    esac
  done
  names=("\${(@f)$(exec-console $1 --quiet $gateway 2>/dev/null)}")
  compadd -a names
}
_exec_console() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${[...commands].map(([name, { summary }]) => `    ${quotedSpec(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${[...commands].map(([name, command]) => commandCase(name, command, flagsOf(command))).join('\n')}
    -*) _arguments ${flagSpecs(gatewayFlags).join(' ')} ;;
  esac
}
compdef _exec_console exec-console
`;

function commandCase(name: string, command: Subcommand, flags: FlagSpecs): string {
  const specs = [...flagSpecs(flags), ...wordSpecs(command)];
  return `    ${name}) shift words; ((CURRENT -= 1)); _arguments ${command.words === 'commandLine' ? '-S ' : ''}${specs.join(' ')} ;;`;
}

/** Returns specifications for `_arguments`, such as `'(-l --label)'{-l,--label}'[Name]:LABEL:'`. */
function flagSpecs(flags: FlagSpecs): string[] {
  return Object.entries(flags).map(([name, spec]) => {
    const { short, about, multiple } = spec;
    const tail = quotedSpec(`[${escaped(about)}]${valueOf(spec)}`);
    const star = multiple ? "'*'" : '';
    if (short === undefined) return `${star}--${name}${tail}`;
    return `${multiple ? star : `'(-${short} --${name})'`}{-${short},--${name}}${tail}`;
  });
}

function valueOf({ type, value = 'VALUE', completes }: FlagSpec): string {
  if (type === 'boolean') return '';
  const label = escaped(value);
  if (completes === undefined) return `:${label}: `;
  if (completes === 'file') return `:${label}:_files`;
  if (completes === 'folder') return `:${label}:_files -/`;
  return `:${label}:(${completes.join(' ')})`;
}

function wordSpecs(command: Subcommand): string[] {
  const words = firstWords(command);
  if (words) {
    const after = secondWords(command).map(({ first, words: second }) => {
      const offer =
        'namesFrom' in second ? `_exec_console_names ${second.namesFrom}` : `compadd -- ${second.join(' ')}`;
      return `((\${words[(I)${first}]})) && ${offer}`;
    });
    return [`'1:word:(${words.join(' ')})'`, ...(after.length > 0 ? [`'2:word:{${after.join('; ')}}'`] : [])];
  }
  const names = namesFrom(command);
  if (names !== null) {
    const { completesSecond: second } = command;
    return [
      // `_arguments` inserts its own options before the words of an action without braces.
      `'1:process:{_exec_console_names ${names}}'`,
      ...(second ? [`'2:word:(${second.join(' ')})'`] : []),
    ];
  }
  return command.words === 'commandLine' ? ["'*::command:_normal'"] : [];
}

/** Escapes backslashes, brackets and colons, which are special in a specification. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);

const quotedSpec = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
