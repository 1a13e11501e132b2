// The description of a command that people type. Its help and its completion come from here.
import type { Arguments, FlagSpecs } from './arguments.ts';

export interface Subcommand {
  /** As `attach [flags] KEY`. */
  readonly usage: string;
  /** One line for the list of commands: a verb and its object, without a full stop. */
  readonly summary: string;
  /** Paragraphs before the flags. */
  readonly help: string;
  readonly flags: FlagSpecs;
  /** Command lines, each with or without `exec-console` before it. */
  readonly examples: readonly string[];
  /** Exit codes beside those of every command, or in their place. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** First words of its own, as `list` of `token`. */
  readonly acts?: readonly Act[];
  /** True when it needs no running gateway, and takes no flags that name one. */
  readonly isLocal?: true;
  /** How many words it takes; a command line takes everything from its first word on; `any`: it looks itself. */
  readonly words: number | 'commandLine' | 'any';
  /** The kind of first word that a shell completes; without it none. */
  readonly completes?: 'process' | readonly string[];
  /** Resolves with the exit code. Throws UsageError or CommandFailed. */
  execute(args: Arguments, env: NodeJS.ProcessEnv): Promise<number>;
}

export interface Act {
  readonly name: string;
  /** The usage of an act, such as `create NAME`. */
  readonly usage: string;
  readonly about: string;
}
