// Interface of an agent for the runs: its configuration, its start, and the calls with which its model runs
// commands.
import { execFileSync, type ChildProcess } from 'node:child_process';
import type { Dialect, Item } from '../agent/scripted-model.ts';
import type { Program } from './programs.ts';

/** Ways in which an agent's commands reach the gateway. */
export type Door =
  | 'mcp-stdio'
  | 'mcp-http'
  /** MCP over HTTP with a token that may elicit, and an editor that shows forms to its user. */
  | 'mcp-form'
  | 'hook'
  | 'shim'
  /** The gateway as Codex's exec-server. */
  | 'exec-server'
  /** The agent runs its commands itself, after requesting approval from the gateway. */
  | 'prompt-tool';

export interface Place {
  readonly door: Door;
  /** Value of `--budget` for `exec-console mcp`, in seconds; null: the flag is omitted. */
  readonly budgetS: number | null;
  readonly dir: string;
  /** The agent's home folder, initially empty. */
  readonly home: string;
  /** Address of the model, without a path. */
  readonly model: string;
  /** The command `exec-console`, up to its subcommand. */
  readonly console: readonly [string, ...string[]];
  readonly gateway: {
    readonly stateDir: string;
    readonly mcpUrl: string;
    /** Agent token for the door `mcp-http`. */
    readonly token: string;
    /** Agent token whose client may show approval requests to its own user. */
    readonly elicitingToken: string;
  };
}

/** Answers of the user to the forms that the agent shows; `answer` receives the message of a form. */
export interface Forms {
  readonly answer: (message: string) => object;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Begins the work over the agent's stdio; by default, the arguments begin the work, and stdin is empty. */
  readonly talk?: (agent: ChildProcess, dir: string, forms: Forms) => void;
}

export interface Client {
  readonly program: Program;
  /** Prefix of the name that the console shows for this agent. */
  readonly shownAs: string;
  readonly dialect: Dialect;
  readonly doors: readonly Door[];
  /** Writes the agent's configuration, and returns its arguments and environment. */
  readonly configure: (place: Place) => Launch;
  /** Returns a call of one of the gateway's tools. */
  readonly tool: (name: string, args: object) => Item;
  /** Returns a call of the agent's own command tool. */
  readonly shell: (command: string) => Item;
  /** Returns a call that runs a command in the background; null if the agent's own tool can't. */
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

/** Runs `exec-console connect` for the agent, as a user with settings in the home folder does. */
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

export const isMcp = ({ door }: Place): boolean => door.startsWith('mcp-');
