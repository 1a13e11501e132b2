// What a person is about to start, before it is: as the form has it, as it was kept, or like a process that there was.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { scriptOf, shellQuote } from '../processes/command-line.ts';
import { isSandboxChoice, type SandboxChoice } from './sandbox-choice.ts';

export interface Draft {
  /** A line for the shell, or one argument a line. */
  readonly command: string;
  readonly cwd: string;
  readonly isExact: boolean;
  readonly tty: boolean;
  /** Without a tty: whether it has a stdin. */
  readonly pipeStdin: boolean;
  readonly label: string;
  /** `NAME=value`, one a line, as they are typed. */
  readonly variables: string;
  readonly sandbox: SandboxChoice;
}

export const emptyDraft = (cwd: string): Draft => ({
  command: '',
  cwd,
  isExact: false,
  tty: true,
  pipeStdin: true,
  label: '',
  variables: '',
  sandbox: 'none',
});

/** The same command in the same place; what its variables and its policy were, nobody here knows. */
export function draftLike({ argv, cwd, tty, pipeStdin, label }: ProcessInfo): Draft {
  return {
    ...emptyDraft(cwd),
    command: scriptOf(argv) ?? argv.map(shellQuote).join(' '),
    tty,
    pipeStdin: tty || pipeStdin,
    label: label ?? '',
  };
}

/** What was kept, whoever kept it; null when it is none. */
export function asDraft(value: unknown): Draft | null {
  const kept = (value ?? {}) as { readonly [member in keyof Draft]?: unknown };
  const { command, cwd, label, variables, sandbox } = kept;
  if (typeof command !== 'string' || command.trim() === '' || typeof cwd !== 'string') return null;
  return {
    command,
    cwd,
    isExact: kept.isExact === true,
    tty: kept.tty !== false,
    pipeStdin: kept.pipeStdin !== false,
    label: typeof label === 'string' ? label : '',
    variables: typeof variables === 'string' ? variables : '',
    sandbox: isSandboxChoice(sandbox) ? sandbox : 'none',
  };
}
