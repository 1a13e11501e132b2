// A process about to be started: as the form has it, as it was stored, or like an existing process.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine, scriptOf, shellQuote } from '../../../text/command-line.ts';
import { isSandboxChoice, type SandboxChoice } from './sandbox-choice.ts';

export interface Draft {
  /** Command: a line for the shell, or one argument a line. */
  readonly command: string;
  readonly cwd: string;
  readonly isExact: boolean;
  readonly tty: boolean;
  /** True when a process without a tty has a stdin. */
  readonly pipeStdin: boolean;
  readonly label: string;
  /** True when its output is kept in history after it has ended. */
  readonly recorded: boolean;
  /** Variables as typed: `NAME=value`, one a line. */
  readonly variables: string;
  /** Sandbox; `asModel`: that of the process which is duplicated; null: not chosen yet. */
  readonly sandbox: SandboxChoice | 'asModel' | null;
}

/** Properties of a process that determine how another like it is started. */
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
 * Returns a draft of the same command in the same folder, with the same sandbox; of a process that is no longer kept,
 * only the sandbox `none` is known.
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

/** Returns the argv of a draft: that of the model, or its edited command in the model's own shell. */
export function argvOf({ command, isExact }: Draft, shell: string, model?: Model): readonly string[] {
  if (isExact) return command.split('\n').filter((word) => word !== '');
  if (!model) return [shell, '-lc', command];
  if (command === commandOf(model.argv)) return model.argv;
  const [program = shell, flag = '-c'] = scriptOf(model.argv) === null ? [] : model.argv;
  // The shell is not a login shell, whose profile would change the environment that is kept.
  return [program, flag, command];
}

/** Placeholder for the gateway's own shell, while it is unknown. */
const UNKNOWN_SHELL = '';

/**
 * Returns the shell that runs the command of a draft, with its flag; null when none does. `shell` is null while
 * unknown.
 */
export function runnerOf(draft: Draft, shell: string | null, model?: Model): string | null {
  const command = draft.command.trim() === '' ? ':' : draft.command;
  const argv = argvOf({ ...draft, command }, shell ?? UNKNOWN_SHELL, model);
  if (!draft.isExact && argv[0] === UNKNOWN_SHELL) return 'the gateway’s shell';
  return draft.isExact || scriptOf(argv) === null ? null : commandLine(argv.slice(0, 2));
}

/** Returns the draft as it is stored without its model: a sandbox must not become `none` by that. */
export const withoutModel = (draft: Draft, model?: Model): Draft =>
  draft.sandbox === 'asModel' ? { ...draft, sandbox: model?.sandbox === 'none' ? 'none' : null } : draft;

/** Returns the reason why the draft cannot be started; null when everything is chosen. */
export function whatIsMissing({ sandbox }: Draft, model?: Model): string | null {
  const isKnown = sandbox !== null && (sandbox !== 'asModel' || model?.restartable === true);
  if (isKnown) return null;
  return model
    ? 'Choose a sandbox under “More”: the original’s sandbox is no longer retained.'
    : 'Choose a sandbox under “More”: the original’s sandbox was not saved.';
}

/** Returns the parts of a draft that come from its model and are lost when it is saved; null when there are none. */
export function lostBySaving(draft: Draft, model?: Model): string | null {
  if (!model) return null;
  const isSandboxLost = withoutModel(draft, model).sandbox === null;
  return `Not saved: the environment of the original${isSandboxLost ? ', and its sandbox, which is chosen again at each start' : ''}.`;
}

/** Parses a stored draft, from any source; null when it is invalid. */
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
    recorded: kept.recorded !== false,
    variables: typeof variables === 'string' ? variables : '',
    // An unreadable sandbox may have been a strict one: a person must choose again.
    sandbox: sandbox === undefined ? 'none' : isSandboxChoice(sandbox) ? sandbox : null,
  };
}
