// A process about to be started: as entered in the form, as stored, or as a duplicate of an existing process.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine, scriptOf, shellQuote } from '../../../text/command-line.ts';
import { isSandboxChoice, type SandboxChoice } from './sandbox-choice.ts';

export interface Draft {
  /** Command: a line for the shell, or one argument per line. */
  readonly command: string;
  readonly cwd: string;
  readonly isExact: boolean;
  readonly tty: boolean;
  /** True when a process without a tty gets a stdin pipe. */
  readonly pipeStdin: boolean;
  readonly label: string;
  /** True when the output stays in history after the process has ended. */
  readonly recorded: boolean;
  /** Variables as typed: `NAME=value`, one per line. */
  readonly variables: string;
  /** Sandbox; `asModel`: the one of the duplicated process; null: not chosen yet. */
  readonly sandbox: SandboxChoice | 'asModel' | null;
}

/** Properties of an original process that its duplicate needs. */
export type Model = Pick<
  ProcessInfo,
  'key' | 'argv' | 'cwd' | 'tty' | 'pipeStdin' | 'label' | 'notRecorded' | 'sandbox' | 'restartable'
>;

export const emptyDraft = (cwd: string): Draft => ({
  command: '',
  cwd,
  isExact: false,
  tty: true,
  pipeStdin: true,
  label: '',
  recorded: true,
  variables: '',
  sandbox: 'none',
});

/**
 * Returns a draft that duplicates the process, without its variables. If the gateway no longer retains the start
 * parameters, only the sandbox `none` is known; any other must be chosen again.
 */
export function draftLike({
  argv,
  cwd,
  tty,
  pipeStdin,
  label,
  notRecorded,
  sandbox,
  restartable,
}: Model): Draft {
  return {
    ...emptyDraft(cwd),
    command: commandOf(argv),
    tty,
    pipeStdin: tty || pipeStdin,
    label: label ?? '',
    recorded: !notRecorded,
    sandbox: restartable ? 'asModel' : sandbox === 'none' ? 'none' : null,
  };
}

const commandOf = (argv: readonly string[]): string => scriptOf(argv) ?? argv.map(shellQuote).join(' ');

/**
 * Returns the argv of a draft: its nonempty lines if the draft is exact, the original's argv if the command is
 * unchanged, otherwise the command run in the original's shell, or in `shell` if the original has none.
 */
export function argvOf({ command, isExact }: Draft, shell: string, model?: Model): readonly string[] {
  if (isExact) return command.split('\n').filter((word) => word !== '');
  if (!model) return [shell, '-lc', command];
  if (command === commandOf(model.argv)) return model.argv;
  const [program = shell, flag = '-c'] = scriptOf(model.argv) === null ? [] : model.argv;
  // The default flag is `-c` rather than `-lc`, since a profile would change the preserved environment.
  return [program, flag, command];
}

/** Placeholder for the gateway's shell while it is unknown. */
const UNKNOWN_SHELL = '';

/**
 * Returns the shell and flag that run the command of a draft; null when no shell does. `shell` is null while unknown;
 * the result is then `the gateway’s shell` if the draft needs it.
 */
export function runnerOf(draft: Draft, shell: string | null, model?: Model): string | null {
  const command = draft.command.trim() === '' ? ':' : draft.command;
  const argv = argvOf({ ...draft, command }, shell ?? UNKNOWN_SHELL, model);
  if (!draft.isExact && argv[0] === UNKNOWN_SHELL) return 'the gateway’s shell';
  return draft.isExact || scriptOf(argv) === null ? null : commandLine(argv.slice(0, 2));
}

/**
 * Returns the draft to be stored, without the process that it duplicates: a sandbox that cannot be stored becomes
 * null, not `none`.
 */
export const withoutModel = (draft: Draft, model?: Model): Draft =>
  draft.sandbox === 'asModel' ? { ...draft, sandbox: model?.sandbox === 'none' ? 'none' : null } : draft;

/** Returns why a sandbox must be chosen before the draft can be started; null when its sandbox is known. */
export function whatIsMissing({ sandbox }: Draft, model?: Model): string | null {
  const isKnown = sandbox !== null && (sandbox !== 'asModel' || model?.restartable === true);
  if (isKnown) return null;
  return model
    ? 'Choose a sandbox under “More”: the original’s sandbox is no longer retained.'
    : 'Choose a sandbox under “More”: the original’s sandbox was not saved.';
}

/**
 * Returns a note about the parts of a draft that come from the original process and would be lost by saving it; null
 * when no process is duplicated.
 */
export function lostBySaving(draft: Draft, model?: Model): string | null {
  if (!model) return null;
  const isSandboxLost = withoutModel(draft, model).sandbox === null;
  return isSandboxLost
    ? 'The original’s environment and sandbox will not be saved: you choose a sandbox at each start.'
    : 'The original’s environment will not be saved.';
}

/** Parses a stored draft; null when it is invalid. */
export function asDraft(value: unknown): Draft | null {
  const stored = (value ?? {}) as { readonly [member in keyof Draft]?: unknown };
  const { command, cwd, label, variables, sandbox } = stored;
  if (typeof command !== 'string' || command.trim() === '' || typeof cwd !== 'string') return null;
  return {
    command,
    cwd,
    isExact: stored.isExact === true,
    tty: stored.tty !== false,
    pipeStdin: stored.pipeStdin !== false,
    label: typeof label === 'string' ? label : '',
    recorded: stored.recorded !== false,
    variables: typeof variables === 'string' ? variables : '',
    // An unreadable sandbox may have been a strict one, so the person must choose again.
    sandbox: sandbox === undefined ? 'none' : isSandboxChoice(sandbox) ? sandbox : null,
  };
}
