// Input from which the completion scripts of all shells are generated.
import type { FlagSpecs } from './arguments.ts';
import type { Subcommand } from './subcommand.ts';

/** The table of commands and the flags of the gateway, from which the scripts are generated. */
export interface Completed {
  readonly commands: ReadonlyMap<string, Subcommand>;
  readonly gatewayFlags: FlagSpecs;
  readonly flagsOf: (command: Subcommand) => FlagSpecs;
}

/** Returns the possible first words of a command; null when they are unknown, or process names. */
export const firstWords = ({ acts, completes }: Subcommand): readonly string[] | null =>
  acts ? acts.map(({ name }) => name) : Array.isArray(completes) ? (completes as readonly string[]) : null;

/**
 * Returns the shell command that prints the names of processes, one per line; null when the first word is not a
 * process.
 */
export function namesCommand({ completes }: Subcommand): string | null {
  if (completes === 'process') return 'exec-console ps --quiet 2>/dev/null';
  return completes === 'recorded' ? RECORDED : null;
}

/** Prints the names of recorded processes, one per line. */
const RECORDED = 'exec-console history --quiet 2>/dev/null';

/** Possible second words of a command after one of its first words; `namesFrom` is the shell command that prints them. */
export interface SecondWords {
  readonly first: string;
  readonly words: readonly string[] | { readonly namesFrom: string };
}

export const secondWords = ({ completesAfter = {} }: Subcommand): readonly SecondWords[] =>
  Object.entries(completesAfter).map(([first, words]) => ({
    first,
    words: words === 'recorded' ? { namesFrom: RECORDED } : words,
  }));

/** Puts text in single quotes for any of the three shells; a quote within it becomes `’`. */
export const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
