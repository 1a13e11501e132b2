// Parses the events that agents send to a hook before they use a tool, in the format of each agent.
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

/** Agents with different formats of events and answers. */
export type Dialect = 'claude' | 'codex' | 'vscode' | 'gemini' | 'cursor';

export interface HookEvent {
  readonly dialect: Dialect;
  /** `permission`: the agent is about to ask its user. */
  readonly moment: 'before' | 'permission';
  readonly tool: string;
  /** Command of a shell tool; null for other tools. */
  readonly command: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string | null;
  readonly thread: string | null;
  /** Thread that started this one, if this is the thread of a sub-agent; otherwise null. */
  readonly parentThread: string | null;
  readonly model: string | null;
  readonly callId: string | null;
  /** True when the agent runs everything without asking its user (`bypassPermissions`). */
  readonly skipsPrompts: boolean;
  /** True when the agent refuses instead of asking its user (`dontAsk`). */
  readonly refusesPrompts: boolean;
}

const text = z.string().nullish().catch(null);
const members = z.record(z.string(), z.unknown());

const rawEvent = z.object({
  hook_event_name: text,
  hookEventName: text,
  tool_name: text,
  toolName: text,
  tool_input: members.nullish().catch(null),
  toolInput: members.nullish().catch(null),
  tool_use_id: text,
  toolUseId: text,
  session_id: text,
  sessionId: text,
  conversation_id: text,
  /** Claude Code sets `agent_id` for sub-agents, which share their agent's session. */
  agent_id: text,
  model: text,
  generation_id: text,
  turn_id: text,
  permission_mode: text,
  cwd: text,
  /** Cursor sends the command at the top level of the event. */
  command: text,
});

const SHELL_TOOLS: readonly string[] = [
  'Bash',
  'bash',
  'shell',
  'run_shell_command',
  'run_in_terminal',
  'runInTerminal',
  'execute_command',
];

/** Returns the parsed event; null for a kind that needs no answer. Throws for a value that is not a JSON object. */
export function hookEvent(value: unknown): HookEvent | null {
  const read = rawEvent.safeParse(value);
  // An invalid member becomes null, so only a value that is not an object is invalid.
  if (!read.success) throw new Error('the event on stdin is not a JSON object');
  const event = read.data;
  const name = event.hook_event_name ?? event.hookEventName ?? '';
  const dialect = dialectOf(name, event);
  if (dialect === null) return null;
  const input = event.tool_input ?? event.toolInput ?? {};
  const tool = event.tool_name ?? event.toolName ?? (dialect === 'cursor' ? 'shell' : '');
  const command = event.command ?? input['command'];
  const session = event.session_id ?? event.sessionId ?? event.conversation_id ?? null;
  const isShell = SHELL_TOOLS.includes(tool) && typeof command === 'string';
  return {
    dialect,
    moment: name === 'PermissionRequest' ? 'permission' : 'before',
    tool,
    command: isShell ? command : null,
    input,
    cwd: folderOf(event.cwd || null, input),
    thread: event.agent_id || session,
    parentThread: event.agent_id ? session : null,
    model: event.model || null,
    callId: event.tool_use_id ?? event.toolUseId ?? event.generation_id ?? null,
    skipsPrompts: event.permission_mode === 'bypassPermissions',
    refusesPrompts: event.permission_mode === 'dontAsk',
  };
}

/** Returns the folder that is set for the command, or else the agent's folder; null when it is unknown. */
function folderOf(cwd: string | null, input: Readonly<Record<string, unknown>>): string | null {
  const given = input['dir_path'] ?? input['cwd'];
  if (typeof given !== 'string' || given === '') return cwd;
  if (isAbsolute(given)) return given;
  return cwd === null ? null : resolve(cwd, given);
}

function dialectOf(name: string, event: z.infer<typeof rawEvent>): Dialect | null {
  switch (name) {
    case 'PreToolUse':
    case 'PermissionRequest':
      if (event.hookEventName || event.sessionId) return 'vscode';
      return event.turn_id ? 'codex' : 'claude';
    case 'BeforeTool':
      return 'gemini';
    case 'beforeShellExecution':
    case 'beforeMCPExecution':
      return 'cursor';
    default:
      return null;
  }
}
