// A command as a person reads it: quoted as a shell would need it, with nothing in it that hides or reorders text.
import type { ProcessInfo } from '../../server/protocol/console.ts';

/** Controls, bidi marks, zero-width and line separators: whatever could hide, reorder or break a line. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const SHORT: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with each invisible character as its escape: `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    return SHORT[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
  });
}

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
