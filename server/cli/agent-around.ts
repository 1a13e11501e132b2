// The agent that has started this command, as its environment says.

export interface AgentAround {
  /** Name for a token of its own. */
  readonly name: string;
  /** The agent's conversation; null when it does not say. */
  readonly thread: string | null;
}

interface Sign {
  readonly name: string;
  /** Variable that only this agent sets for its commands. */
  readonly sign: string;
  readonly thread?: string;
}

const SIGNS: readonly Sign[] = [
  { name: 'claude', sign: 'CLAUDECODE', thread: 'CLAUDE_CODE_SESSION_ID' },
  { name: 'gemini', sign: 'GEMINI_CLI', thread: 'GEMINI_SESSION_ID' },
  { name: 'opencode', sign: 'OPENCODE' },
  { name: 'cursor', sign: 'CURSOR_AGENT' },
  { name: 'codex', sign: 'CODEX_CI', thread: 'CODEX_THREAD_ID' },
];

/** Name of an agent that leaves no sign. */
const UNKNOWN = 'shell';

/** `named`: the name that was given by a flag. */
export function agentAround(env: NodeJS.ProcessEnv, named: string | null): AgentAround {
  const found = SIGNS.find(({ sign }) => (env[sign] ?? '') !== '');
  const thread = found?.thread === undefined ? null : (env[found.thread] ?? null);
  return { name: named ?? found?.name ?? UNKNOWN, thread };
}
