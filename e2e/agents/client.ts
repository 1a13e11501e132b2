// Interface of each agent to the run: its settings for a door, its start, and the calls by which its model runs commands.
import { execFileSync } from 'node:child_process';
import type { Dialect, Item } from '../agent/scripted-model.ts';
import type { Program } from './programs.ts';

/** The ways by which an agent's commands come to the gateway. */
export type Door =
  | 'mcp-stdio'
  | 'mcp-http'
  | 'hook'
  | 'shim'
  /** The gateway as the exec-server of Codex. */
  | 'exec-server'
  /** The agent runs its commands itself, and asks the gateway whether it may. */
  | 'prompt-tool';

/** Everything that an agent is set up with. */
export interface Place {
  readonly door: Door;
  /** Seconds within which calls are answered; null: as long as the agent waits. */
  readonly budgetS: number | null;
  /** Folder in which the agent works. */
  readonly dir: string;
  /** The agent's home folder, which is empty at first. */
  readonly home: string;
  /** Address of the model, without a path. */
  readonly model: string;
  /** The command `exec-console` and what comes before its subcommand. */
  readonly console: readonly [string, ...string[]];
  readonly gateway: {
    readonly stateDir: string;
    readonly mcpUrl: string;
    /** An agent's token, for the doors that are set up with one. */
    readonly token: string;
  };
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Client {
  readonly program: Program;
  /** Beginning of the name by which the console shows this agent. */
  readonly shownAs: string;
  readonly dialect: Dialect;
  readonly doors: readonly Door[];
  /** Writes the agent's configuration. */
  readonly configure: (place: Place) => Launch;
  /** A call of one of the gateway's own tools. */
  readonly tool: (name: string, args: object) => Item;
  /** A call of the agent's own tool for commands. */
  readonly shell: (command: string) => Item;
  /** The same, where the agent goes on at once; null: this agent's own tool has no such calls. */
  readonly background: ((command: string) => Item) | null;
}

/** Returns the command line of `exec-console mcp`. */
export const relay = ({ console, gateway, budgetS }: Place): readonly [string, ...string[]] => [
  ...console,
  'mcp',
  '--state-dir',
  gateway.stateDir,
  ...(budgetS === null ? [] : ['--budget', String(budgetS)]),
];

/** Connects the agent as its user does, in the settings that are in the home folder by now. */
export function connect({ console, gateway, home }: Place, agent: string): void {
  const [program, ...args] = console;
  const flags = ['connect', agent, '--yes', '--state-dir', gateway.stateDir];
  const env = { PATH: process.env['PATH'], HOME: home, CODEX_HOME: home };
  execFileSync(program, [...args, ...flags], { env, stdio: 'pipe' });
}

/** Returns the path that `exec-console shell` prints for this flag. */
export function standIn({ console, gateway }: Place, flag: string, agent: string): string {
  const [program, ...args] = console;
  const flags = [flag, '--agent', agent, '--state-dir', gateway.stateDir];
  return execFileSync(program, [...args, 'shell', ...flags], { encoding: 'utf8' }).trim();
}

export const isMcp = ({ door }: Place): boolean => door === 'mcp-stdio' || door === 'mcp-http';
