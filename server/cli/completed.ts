// Describes the commands and flags from which the completion scripts of all shells are generated.
import type { FlagSpecs, GATEWAY_FLAGS } from './arguments.ts';
import type { Subcommand } from './subcommand.ts';

export interface Completed {
  readonly commands: ReadonlyMap<string, Subcommand>;
  readonly gatewayFlags: FlagSpecs;
  readonly flagsOf: (command: Subcommand) => FlagSpecs;
}

/** Returns the fixed first words of a command; null when it has none, for example when its first word is a process. */
export const firstWords = ({ acts, completes }: Subcommand): readonly string[] | null =>
  acts ? acts.map(({ name }) => name) : Array.isArray(completes) ? (completes as readonly string[]) : null;

/** Command whose `--quiet` prints names of processes, one per line. */
export type NamesFrom = 'ps' | 'history';

/** Returns the command that prints the possible first words; null when the first word is not a process. */
export function namesFrom({ completes }: Subcommand): NamesFrom | null {
  if (completes === 'process') return 'ps';
  return completes === 'recorded' ? 'history' : null;
}

/**
 * Flags that select a gateway; a completion script passes the ones typed before the cursor to the command that prints
 * names.
 */
export const ADDRESS_FLAGS = [
  '--url',
  '--token-file',
  '--state-dir',
] as const satisfies readonly `--${Exclude<keyof typeof GATEWAY_FLAGS, 'help'>}`[];

/** Possible second words of a command after one of its first words. */
export interface SecondWords {
  readonly first: string;
  readonly words: readonly string[] | { readonly namesFrom: NamesFrom };
}

export const secondWords = ({ completesAfter = {} }: Subcommand): readonly SecondWords[] =>
  Object.entries(completesAfter).map(([first, words]) => ({
    first,
    words: words === 'recorded' ? { namesFrom: 'history' } : words,
  }));

/** Puts text in single quotes for a shell; a single quote within it becomes `’`. */
export const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
