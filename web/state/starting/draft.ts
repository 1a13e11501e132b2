// What a person is about to start, before it is: as the form has it, as it was kept, or like a process that there was.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine, scriptOf, shellQuote } from '../../../text/command-line.ts';
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
  /** `asModel`: that of the process which another like it is started of; null: not chosen yet. */
  readonly sandbox: SandboxChoice | 'asModel' | null;
}

/** What tells how another like it is started. */
export type Model = Pick<
  ProcessInfo,
  'key' | 'argv' | 'cwd' | 'tty' | 'pipeStdin' | 'label' | 'sandbox' | 'restartable'
>;

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

/** The same command in the same place, with the same sandbox; of one that is not kept any more only `none` is known. */
export function draftLike({ argv, cwd, tty, pipeStdin, label, sandbox, restartable }: Model): Draft {
  return {
    ...emptyDraft(cwd),
    command: commandOf(argv),
    tty,
    pipeStdin: tty || pipeStdin,
    label: label ?? '',
    sandbox: restartable ? 'asModel' : sandbox === 'none' ? 'none' : null,
  };
}

const commandOf = (argv: readonly string[]): string => scriptOf(argv) ?? argv.map(shellQuote).join(' ');

/** What runs the command of a draft: as the model was run, and what has been changed in the model's own shell. */
export function argvOf({ command, isExact }: Draft, shell: string, model?: Model): readonly string[] {
  if (isExact) return command.split('\n').filter((word) => word !== '');
  if (!model) return [shell, '-lc', command];
  if (command === commandOf(model.argv)) return model.argv;
  const [program = shell, flag = '-c'] = scriptOf(model.argv) === null ? [] : model.argv;
  // Not as a login shell: its profile would change the environment that is kept.
  return [program, flag, command];
}

/** The gateway's own shell, while it is not known which that is. */
const UNKNOWN_SHELL = '';

/** The shell that runs the command of a draft, with its flag; null when none does. `shell`: null while it is not known. */
export function runnerOf(draft: Draft, shell: string | null, model?: Model): string | null {
  const argv = argvOf({ ...draft, command: draft.command || ' ' }, shell ?? UNKNOWN_SHELL, model);
  if (!draft.isExact && argv[0] === UNKNOWN_SHELL) return 'the gateway’s shell';
  return draft.isExact || scriptOf(argv) === null ? null : commandLine(argv.slice(0, 2));
}

/** As it is kept where the model will not be known: no sandbox becomes none by that. */
export const withoutModel = (draft: Draft, model?: Model): Draft =>
  draft.sandbox === 'asModel' ? { ...draft, sandbox: model?.sandbox === 'none' ? 'none' : null } : draft;

/** Why it cannot be started as it is; null when all is chosen. */
export function whatIsMissing({ sandbox }: Draft, model?: Model): string | null {
  const isKnown = sandbox !== null && (sandbox !== 'asModel' || model?.restartable === true);
  if (isKnown) return null;
  return model
    ? 'Choose a sandbox under “More”: the one that it ran in is not kept any more.'
    : 'Choose a sandbox under “More”: the one that its original ran in was not saved.';
}

/** The parts of a draft that come from its model and are lost when it is saved; null when there are none. */
export function lostBySaving(draft: Draft, model?: Model): string | null {
  if (!model) return null;
  const isSandboxLost = withoutModel(draft, model).sandbox === null;
  return `Not saved: the environment of the original${isSandboxLost ? ', and its sandbox, which is chosen again at each start' : ''}.`;
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
    // What cannot be read may have been a sandbox: a person chooses again.
    sandbox: sandbox === undefined ? 'none' : isSandboxChoice(sandbox) ? sandbox : null,
  };
}
