// What every command a person types is made of.
import type { Arguments, FlagSpecs } from './arguments.ts';

export interface Subcommand {
  /** As `attach [flags] KEY`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly help: string;
  readonly flags: FlagSpecs;
  /** How many words it takes; a command line takes everything from its first word on; `any`: it looks itself. */
  readonly words: number | 'commandLine' | 'any';
  /** Resolves with the exit code. Throws UsageError or CommandFailed. */
  execute(args: Arguments, env: NodeJS.ProcessEnv): Promise<number>;
}
