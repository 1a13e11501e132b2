// Rewrites an agent's command so that the gateway runs it, and parses rewritten commands.

export interface Rewritten {
  readonly agent: string;
  readonly thread: string | null;
  /** Thread that started this one; null when there is none. */
  readonly parentThread: string | null;
  readonly callId: string | null;
  readonly model: string | null;
  readonly shell: string;
  /** PATH as shown for approval, since a login shell may change it; null when the agent has none. */
  readonly path: string | null;
  readonly command: string;
}

/** Command line that starts exec-console, and flags for its command `shell`. */
export interface OwnWords {
  readonly program: readonly string[];
  readonly flags: readonly string[];
}

const PATH = 'PATH=';

/** Returns the environment variables that the rewritten command sets, as `NAME=VALUE`. */
export const setVariables = ({ path }: Rewritten): readonly string[] =>
  path === null ? [] : [`${PATH}${path}`];

/** Returns the rewritten command, in which every word is quoted so that a shell expands nothing. */
export function rewrite(run: Rewritten, { program, flags }: OwnWords): string {
  const { agent, thread, parentThread, callId, model, shell, command } = run;
  return [
    ...program,
    'shell',
    ...flags,
    '--agent',
    agent,
    ...(thread === null ? [] : ['--thread', thread]),
    ...(parentThread === null ? [] : ['--parent-thread', parentThread]),
    ...(callId === null ? [] : ['--call', callId]),
    ...(model === null ? [] : ['--model', model]),
    '--real',
    shell,
    ...setVariables(run).flatMap((text) => ['--env', text]),
    '--',
    '-c',
    command,
  ]
    .map(quoted)
    .join(' ');
}

/** Parses a command that `rewrite` has created with the same `own`; returns null for any other command. */
export function readBack(line: string, own: OwnWords): Rewritten | null {
  const { program } = own;
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'( |$)/gs)];
  if (words.map(([whole]) => whole).join('') !== line) return null;
  const [...plain] = words.map(([, word = '']) => word.replaceAll(String.raw`'\''`, "'"));
  const isOurs = [...program, 'shell'].every((word, at) => plain[at] === word);
  const [end, dash] = plain.slice(-3);
  if (!isOurs || end !== '--' || dash !== '-c') return null;
  const flags = plain.slice(program.length + 1, -3);
  const valueOf = (name: string): string | null => {
    const at = flags.indexOf(name);
    return at === -1 ? null : (flags[at + 1] ?? null);
  };
  const [agent, shell, command] = [valueOf('--agent'), valueOf('--real'), plain.at(-1)];
  if (agent === null || shell === null || command === undefined) return null;
  const path = valueOf('--env')?.slice(PATH.length) ?? null;
  const found = {
    agent,
    thread: valueOf('--thread'),
    parentThread: valueOf('--parent-thread'),
    callId: valueOf('--call'),
    model: valueOf('--model'),
    shell,
    path,
    command,
  };
  // A command with further parts is rejected, since these would not be shown.
  return rewrite(found, own) === line ? found : null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
