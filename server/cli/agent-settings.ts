// Describes the settings file of each agent, and the entries that connect the agent to the gateway.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSettings, type Edit } from './settings-edits.ts';

/** Timeout for a hook, in seconds: a person may take that long to decide. */
const DECISION_S = 24 * 60 * 60;

/** Name of the gateway among an agent's MCP servers. */
const SERVER = 'console';

export interface AgentSettings {
  readonly title: string;
  readonly file: (env: NodeJS.ProcessEnv) => string;
  /** Returns the entries to add to the settings; null for a settings file that is not JSON. */
  readonly edits: ((program: readonly string[], flags: readonly string[]) => readonly Edit[]) | null;
  /** Note for the person about further steps or limits. */
  readonly note: string;
}

const home = ({ HOME }: NodeJS.ProcessEnv): string => HOME || homedir();
const configHome = (env: NodeJS.ProcessEnv): string => env['XDG_CONFIG_HOME'] || join(home(env), '.config');

const codeFolder = (env: NodeJS.ProcessEnv): string =>
  process.platform === 'darwin'
    ? join(home(env), 'Library/Application Support/Code/User')
    : join(configHome(env), 'Code/User');

/**
 * Returns the path of `opencode.jsonc` if it exists, because its values override those of `opencode.json`; otherwise
 * the path of the latter.
 */
function openCodeFile(env: NodeJS.ProcessEnv): string {
  const path = join(configHome(env), 'opencode/opencode.json');
  return existsSync(`${path}c`) ? `${path}c` : path;
}

export const AGENTS: Readonly<Record<string, AgentSettings>> = {
  claude: {
    title: 'Claude Code',
    file: (env) => join(env['CLAUDE_CONFIG_DIR'] || join(home(env), '.claude'), 'settings.json'),
    edits: (program, flags) => {
      const item = hookItem('claude', program, flags, DECISION_S);
      return [
        {
          path: ['hooks', 'PreToolUse'],
          value: { matcher: 'Bash', hooks: [item] },
          isListed: true,
          isOurs: isHookOf('claude'),
        },
        {
          path: ['hooks', 'PermissionRequest'],
          value: { matcher: '*', hooks: [item] },
          isListed: true,
          isOurs: isHookOf('claude'),
        },
      ];
    },
    note: 'Restart running Claude Code sessions so that they use the gateway.',
  },
  codex: {
    title: 'Codex',
    file: (env) => join(env['CODEX_HOME'] || join(home(env), '.codex'), 'environments.toml'),
    edits: null,
    note: "The file contains a token and the gateway's address, so always start the gateway on the same port.",
  },
  gemini: {
    title: 'Gemini CLI',
    file: (env) => join(home(env), '.gemini/settings.json'),
    edits: (program, flags) => [
      {
        path: ['hooks', 'BeforeTool'],
        value: {
          matcher: 'run_shell_command',
          hooks: [{ name: 'exec-console', ...hookItem('gemini', program, flags, DECISION_S * 1000) }],
        },
        isListed: true,
        isOurs: isHookOf('gemini'),
      },
    ],
    note: 'Gemini CLI asks its user first; then the gateway requests approval in the console.',
  },
  opencode: {
    title: 'opencode',
    file: openCodeFile,
    edits: (program, flags) => [
      {
        path: ['mcp', SERVER],
        value: {
          type: 'local',
          command: [...program, 'mcp', ...flags, '--agent', 'opencode'],
          enabled: true,
        },
        isOurs: isServerOf('opencode'),
      },
      // The agent's own shell tool would run commands that are not visible in the console.
      {
        path: ['permission', 'bash'],
        value: 'deny',
        opened: (short) => (typeof short === 'string' ? { '*': short } : null),
        isLast: true,
      },
    ],
    note: 'Its own bash tool is disabled, so it uses exec_command.',
  },
  cursor: {
    title: 'Cursor',
    file: (env) => join(home(env), '.cursor/mcp.json'),
    edits: (program, flags) => [
      {
        path: ['mcpServers', SERVER],
        value: stdioServer('cursor', program, flags),
        isOurs: isServerOf('cursor'),
      },
    ],
    note: 'Add a rule that tells Cursor to run commands with the tool exec_command: its own terminal tool stays enabled.',
  },
  vscode: {
    title: 'VS Code',
    file: (env) => join(codeFolder(env), 'mcp.json'),
    edits: (program, flags) => [
      {
        path: ['servers', SERVER],
        value: { type: 'stdio', ...stdioServer('vscode', program, flags) },
        isOurs: isServerOf('vscode'),
      },
    ],
    note: 'Disable the tool runInTerminal in the list of tools, so that Copilot uses exec_command.',
  },
};

const stdioServer = (agent: string, program: readonly string[], flags: readonly string[]): object => {
  const [command = '', ...args] = program;
  return { command, args: [...args, 'mcp', ...flags, '--agent', agent] };
};

/** Returns the part of a hook's command by which it is recognized, whatever the program's path and the flags are. */
const mark = (agent: string): string => `'hook' '--agent' '${agent}'`;

function hookItem(
  agent: string,
  program: readonly string[],
  flags: readonly string[],
  timeout: number,
): object {
  const words = (all: readonly string[]): string =>
    all.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const command = [words(program), mark(agent), words(flags)].filter(Boolean).join(' ');
  return { type: 'command', command, timeout };
}

const isHookOf =
  (agent: string) =>
  (item: unknown): boolean =>
    isSettings(item) &&
    Array.isArray(item['hooks']) &&
    item['hooks'].some(
      (each: unknown) =>
        isSettings(each) && typeof each['command'] === 'string' && each['command'].includes(mark(agent)),
    );

const isServerOf =
  (agent: string) =>
  (value: unknown): boolean =>
    JSON.stringify(value).includes(JSON.stringify(['--agent', agent]).slice(1, -1));
