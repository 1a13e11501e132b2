// Detects, from the environment, the agent that started this command.

export interface AgentAround {
  /** Name of the agent's token. */
  readonly name: string;
  /** Thread id of the agent's conversation, or a substitute such as `pid-42`; null when unknown. */
  readonly thread: string | null;
  /** Id of the thread that started this thread; null when unknown. */
  readonly parentThread: string | null;
  readonly version: string | null;
  readonly model: string | null;
}

interface Sign {
  readonly name: string;
  /** Environment variable that only this agent sets for its commands. */
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

/** Name of an agent that sets no known environment variable. */
const UNKNOWN = 'shell';

interface Named {
  readonly agent: string | null;
  readonly thread: string | null;
  readonly parentThread: string | null;
  readonly model: string | null;
}

/** Returns the agent; flags (`named`) override the environment. The default thread id contains the parent's PID. */
export function agentAround(env: NodeJS.ProcessEnv, named: Named): AgentAround {
  const found = SIGNS.find(({ sign }) => (env[sign] ?? '') !== '');
  const known = found?.thread === undefined ? null : env[found.thread];
  return {
    name: named.agent ?? found?.name ?? UNKNOWN,
    thread: named.thread ?? (known || `pid-${process.ppid}`),
    parentThread: named.parentThread,
    version: agentVersion(env),
    model: named.model,
  };
}

/** Returns the version in `AI_AGENT`, such as 2.1.332 in `claude-code_2-1-332_harness`; null if it has none. */
export const agentVersion = (env: NodeJS.ProcessEnv): string | null =>
  /^[a-z-]+_(\d{1,6}(?:-\d{1,6}){1,3})(?:_|$)/.exec(env['AI_AGENT'] ?? '')?.[1]?.replaceAll('-', '.') ?? null;

/** Returns the metadata of a command, without unknown values. */
export const aroundMetadata = (
  known: Omit<AgentAround, 'name'> & { readonly callId: string | null },
): Record<string, string> => ({
  ...(known.thread !== null && { threadId: known.thread }),
  ...(known.parentThread !== null && { parentThreadId: known.parentThread }),
  ...(known.callId !== null && { toolCallId: known.callId }),
  ...(known.version !== null && { agentVersion: known.version }),
  ...(known.model !== null && { model: known.model }),
});
