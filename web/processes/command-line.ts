// A command as a person reads it: quoted as a shell would need it, with nothing in it that hides or reorders text.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { visible } from '../ui/visible.ts';

/** One argument as a POSIX shell would have to be given it. */
export function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The whole command on one line. */
export function commandLine(argv: readonly string[]): string {
  return visible(argv.map(shellQuote).join(' '));
}

const SHELL = /^(?:.*\/)?(?:ba|z|da|k|fi)?sh$/;
const RUNS_SCRIPT = /^-[a-z]*c$/;

/** What a shell is given to run, and nothing else; null for anything else. */
export function scriptOf(argv: readonly string[]): string | null {
  const [program = '', flag = '', script = '', ...rest] = argv;
  const runsScript = SHELL.test(program) && RUNS_SCRIPT.test(flag) && rest.length === 0;
  return runsScript && script !== '' ? script : null;
}

/** The part that a person looks for: of a script for a shell the script, of anything else the whole. */
export function shortCommand(argv: readonly string[]): string {
  const script = scriptOf(argv);
  return script === null ? commandLine(argv) : visible(script.trim());
}

/** What a process is called: as a person called it, else its command. */
export function processName({ label, argv }: Pick<ProcessInfo, 'label' | 'argv'>): string {
  return label === null ? shortCommand(argv) : visible(label);
}
