// Describes a command; its help and its completion are generated from this description.
import type { Arguments, FlagSpecs } from './arguments.ts';

export interface Subcommand {
  /** Usage line, such as `attach [flags] KEY`. */
  readonly usage: string;
  /** Summary for the list of commands: a verb and its object, without a full stop. */
  readonly summary: string;
  /** Paragraphs before the flags. */
  readonly help: string;
  readonly flags: FlagSpecs;
  /** Example command lines; the help puts `exec-console` before each one that does not contain it. */
  readonly examples: readonly string[];
  /** Exit codes that add to the common ones, or replace them. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** True when `exitCodes` are all codes, because the command handles errors in its own way. */
  readonly hasOwnCodes?: true;
  /** Acts of the command, which its first word selects, such as `list` of `token`. */
  readonly acts?: readonly Act[];
  /** True for a command that does not connect to a gateway, so the shared gateway flags and exit codes do not apply. */
  readonly isLocal?: true;
  /**
   * Number of words; `commandLine`: everything from the first word on; `afterFlags`: everything from the
   * first argument on that is not a flag of this command; `any`: the command checks the words itself.
   */
  readonly words: number | 'commandLine' | 'afterFlags' | 'any';
  /** Kind or possible values of the first word, for shell completion; none if omitted. */
  readonly completes?: 'process' | 'recorded' | readonly string[];
  /** Second words for shell completion; none if omitted. */
  readonly completesSecond?: readonly string[];
  /** First word → what completes the word after it, such as the policies after `set`. */
  readonly completesAfter?: Readonly<Record<string, 'recorded' | readonly string[]>>;
  /**
   * Resolves with the exit code; `argv`: all arguments after the command's name. Rejects with UsageError, CommandFailed
   * or an error of the client or the state folder.
   */
  execute(args: Arguments, env: NodeJS.ProcessEnv, argv: readonly string[]): Promise<number>;
}

export interface Act {
  readonly name: string;
  /** Usage without the name of the command, such as `create NAME`. */
  readonly usage: string;
  readonly about: string;
}
