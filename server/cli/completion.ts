// exec-console completion: prints a script with which a shell completes commands, flags, values and process names.
import type { Completed } from './completed.ts';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { zshScript } from './completion-zsh.ts';
import { ExitCode } from './exit-codes.ts';
import { print } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const SCRIPTS: Readonly<Record<string, (completed: Completed) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const SHELLS = Object.keys(SCRIPTS);

/** `completed` is called only when the command runs, since the table of commands includes this one. */
export const completionCommand = (completed: () => Completed): Subcommand => ({
  usage: 'completion SHELL',
  summary: 'Print a completion script for bash, zsh or fish',
  help: `Prints a script that completes commands, flags, values of flags and names of processes. Load it in the startup
file of your shell, as in the examples.`,
  flags: {},
  examples: [
    'source <(exec-console completion bash)      # in ~/.bashrc',
    'source <(exec-console completion zsh)       # in ~/.zshrc, after compinit',
    'exec-console completion fish > ~/.config/fish/completions/exec-console.fish',
  ],
  isLocal: true,
  words: 1,
  completes: SHELLS,
  async execute(args) {
    const [shell = ''] = args.words;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (!script) throw new UsageError(`completion ${shell}: expected one of ${SHELLS.join(', ')}`);
    await print(script(completed()).trimEnd());
    return ExitCode.ok;
  },
});
