// exec-console mcp: offers the gateway's tools to an agent that starts this program, over MCP on stdio.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { bytesText } from '../../text/amounts.ts';
import { OWN_META } from '../mcp/client.ts';
import { errorOf, McpError } from '../mcp/messages.ts';
import { Lines } from '../rpc/lines.ts';
import { whyNoName } from '../policy/token-name.ts';
import { agentAddress } from './agent-address.ts';
import type { Arguments } from './arguments.ts';
import { onEndingSignal } from './ending-signals.ts';
import { CommandFailed, ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { gatewayAddress, namedUrl, type GatewayAddress } from './gateway-address.ts';
import { McpGateway } from './mcp-gateway.ts';
import { McpRelay } from './mcp-relay.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';
import { ownVersion } from './own-version.ts';

/** Maximum size of a client's message, the same as in the gateway. */
const MOST_BYTES = 1024 * 1024;

/** Maximum wait for pending replies after the end of stdin. */
const LAST_ANSWERS_MS = 100;

/** Beginnings of client names → names of their tokens. */
const NAMES: readonly (readonly [client: string, agent: string])[] = [
  ['claude', 'claude'],
  ['codex', 'codex'],
  ['gemini', 'gemini'],
  ['cursor', 'cursor'],
  ['visual studio code', 'vscode'],
];

export const mcp: Subcommand = {
  usage: 'mcp [flags]',
  summary: 'Serve an agent over the Model Context Protocol on stdio',
  help:
    'An agent starts this program and gets the tools exec_command, write_stdin, list_sessions, read_output and terminate. ' +
    'Its commands run in the gateway, with a token of its own that is created on first use. ' +
    'Its environment is never passed to commands. The gateway may be started later, or restarted.',
  flags: {
    agent: {
      type: 'string',
      value: 'NAME',
      about: 'Name of the agent and of its token, as people see it (default: the name that the client sends)',
    },
    budget: {
      type: 'string',
      value: 'S',
      about:
        'Time limit for each call in seconds, 1 to 86400 (default: depends on the client, 50 for unknown ones)',
    },
  },
  examples: [
    'claude mcp add -s user console -- exec-console mcp',
    'codex mcp add console -- exec-console mcp',
    'exec-console mcp --agent reviewer',
  ],
  hasOwnCodes: true,
  exitCodes: [
    ['0', 'The client has closed stdin; without a gateway, each call is answered with the reason'],
    ['2', 'The command line is invalid'],
    ['141', 'The reader of stdout has closed it (broken pipe)'],
  ],
  words: 0,
  async execute(args, env) {
    checkAddress(args, env);
    const budgetMs = budgetIn(args.text('budget'));
    let name = args.text('agent');
    const why = name === null ? null : whyNoName(name);
    if (why !== null) throw new UsageError(`--agent: ${why}`);
    let token: string | null = null;
    const reach = async (): Promise<GatewayAddress> => {
      const address = gatewayAddress(args, env);
      token ??= (await agentAddress(args, env, name ?? 'agent')).token;
      return { ...address, token };
    };
    const write = (message: unknown): void => {
      process.stdout.write(`${JSON.stringify(message)}\n`);
    };
    const relay = new McpRelay({
      gateway: new McpGateway({
        reach: () => reach(),
        refused: () => {
          token = null;
        },
      }),
      version: ownVersion(),
      write,
      named: (client) => {
        name ??= agentOf(client);
      },
      facts: factsOf(args, env, budgetMs),
    });
    const lines = new Lines(MOST_BYTES, {
      onLine: (line) => relay.receive(line.toString('utf8')),
      onTooLong: () =>
        write(errorOf(null, McpError.invalidRequest, `the message is longer than ${bytesText(MOST_BYTES)}`)),
    });
    return new Promise((resolve) => {
      onEndingSignal((signal) => resolve(SIGNAL_CODES[signal]));
      process.stdout.once('error', () => resolve(ExitCode.brokenPipe));
      process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
      process.stdin.once('error', () => resolve(ExitCode.ok));
      process.stdin.once('end', () => {
        lines.end();
        void Promise.race([relay.idle(), setTimeout(LAST_ANSWERS_MS)]).then(() => resolve(ExitCode.ok));
      });
    });
  },
};

/** Throws UsageError for flags that can never work; a gateway that is not running is not an error yet. */
function checkAddress(args: Arguments, env: NodeJS.ProcessEnv): void {
  try {
    gatewayAddress(args, env);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
  }
}

function budgetIn(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 86_400)
    throw new UsageError(`--budget ${text}: expected a whole number of seconds from 1 to 86400`);
  return seconds * 1000;
}

/**
 * Returns the token name when --agent is not set: the one in NAMES, or else the client's name, or `agent` if the
 * client's name is not a valid token name.
 */
function agentOf(client: string): string {
  const known = NAMES.find(([beginning]) => client.toLowerCase().startsWith(beginning))?.[1] ?? client;
  return whyNoName(known) === null ? known : 'agent';
}

function factsOf(
  args: Arguments,
  env: NodeJS.ProcessEnv,
  budgetMs: number | null,
): Readonly<Record<string, unknown>> {
  return {
    // A gateway given by address may be on another machine, where this folder does not exist.
    ...(namedUrl(args, env) === null && { [OWN_META.cwd]: env['CLAUDE_PROJECT_DIR'] || process.cwd() }),
    [OWN_META.thread]: env['CLAUDE_CODE_SESSION_ID'] || randomUUID(),
    ...(budgetMs !== null && { [OWN_META.budgetMs]: budgetMs }),
  };
}
