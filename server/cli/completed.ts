// What the completion scripts of all shells are made of.
import type { FlagSpecs } from './arguments.ts';
import type { Subcommand } from './subcommand.ts';

/** What the scripts are made of: the table of commands, and the flags that start the gateway. */
export interface Completed {
  readonly commands: ReadonlyMap<string, Subcommand>;
  readonly gatewayFlags: FlagSpecs;
  readonly flagsOf: (command: Subcommand) => FlagSpecs;
}

/** What may stand as the first word of a command; null: nothing that is known, or a process. */
export const firstWords = ({ acts, completes }: Subcommand): readonly string[] | null =>
  acts ? acts.map(({ name }) => name) : Array.isArray(completes) ? (completes as readonly string[]) : null;

/** In single quotes, for any of the three shells: no text of ours has any inside. */
export const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
