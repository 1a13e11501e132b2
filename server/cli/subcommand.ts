// The description of a command that people type. Its help and its completion come from here.
import type { Arguments, FlagSpecs } from './arguments.ts';

export interface Subcommand {
  /** Usage line, such as `attach [flags] KEY`. */
  readonly usage: string;
  /** One line for the list of commands: a verb and its object, without a full stop. */
  readonly summary: string;
  /** Paragraphs before the flags. */
  readonly help: string;
  readonly flags: FlagSpecs;
  /** Command lines, each with or without `exec-console` before it. */
  readonly examples: readonly string[];
  /** Exit codes beside those of every command, or replacing them. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** First words that are its own, such as `list` of `token`. */
  readonly acts?: readonly Act[];
  /** True when it needs no running gateway, and accepts no flags that name one. */
  readonly isLocal?: true;
  /**
   * Number of words; `commandLine`: everything from the first word on; `afterFlags`: everything from the first word on
   * that is no flag of it, also a flag of another program; `any`: the command checks them itself.
   */
  readonly words: number | 'commandLine' | 'afterFlags' | 'any';
  /** Kind of first word that a shell completes; omitted: none. */
  readonly completes?: 'process' | readonly string[];
  /** Resolves with the exit code; `argv` is everything after its name. Throws UsageError or CommandFailed. */
  execute(args: Arguments, env: NodeJS.ProcessEnv, argv: readonly string[]): Promise<number>;
}

export interface Act {
  readonly name: string;
  /** The usage of an act, such as `create NAME`. */
  readonly usage: string;
  readonly about: string;
}
