// exec-console pause and unpause: hold new commands of agents, and release them.
import type { Pause } from '../../protocol/approvals.ts';
import { visible } from '../../text/visible.ts';
import { retryAfterLoss, withGateway, type Gateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { noteUnknownAgent } from './known-agent.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';
import { refuseEmpty, refuseSurplus } from './word-count.ts';

export const pause: Subcommand = {
  usage: 'pause [flags]',
  summary: 'Hold new commands of all agents, or of one',
  help: `Holds every new start until "exec-console unpause", even after a restart of the gateway. "exec-console
approvals" lists the held starts, and "exec-console approve ID" releases one of them.`,
  flags: {
    agent: { type: 'string', value: 'NAME', about: 'Hold only this agent; NAME is the name of its token' },
    session: {
      type: 'string',
      value: 'LABEL',
      about: 'Hold only this session; LABEL is its "session" in exec-console ps --json',
    },
    thread: {
      type: 'string',
      value: 'ID',
      about:
        'With --session: hold only this thread, and starts in a new thread or in none; ID is the "threadId" in the metadata of its processes in exec-console ps --json',
    },
    interrupt: {
      type: 'boolean',
      about: 'Also interrupt the running processes of the paused agents, session or thread',
    },
    json: { type: 'boolean', about: 'Print the pause as JSON' },
  },
  examples: ['pause', 'pause --agent ci', 'pause --interrupt'],
  words: 0,
  exitCodes: [['5', 'There is no session with this label']],
  execute: (args, env) => {
    args.refuseBoth('agent', 'session');
    const session = args.text('session');
    if (session === null && args.text('thread') !== null)
      throw new UsageError('--thread needs --session LABEL, the session of the thread');
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { client } = gateway;
      if (session !== null) await checkSession(gateway, session);
      const named = (['agent', 'session', 'thread'] as const).flatMap((name) => {
        const text = args.text(name);
        return text === null ? [] : [[name, text] as const];
      });
      const { pause: made } = await client.connection.request('console/pause', {
        ...(named.length === 0 ? { all: true as const } : Object.fromEntries(named)),
        interrupt: args.has('interrupt'),
      });
      await noteUnknownAgent(client.connection, args.text('agent'));
      if (args.has('json')) await printJson(made);
      else await print(`${made.id}: paused ${whatOf(made)}`);
      return ExitCode.ok;
    });
  },
};

/** Throws CommandFailed when the gateway has no session with this label. */
async function checkSession(gateway: Gateway, label: string): Promise<void> {
  const { connection } = gateway.client;
  const { sessions } = await retryAfterLoss(gateway, () => connection.request('console/watch', {}));
  if (sessions.some((session) => session.label === label)) return;
  throw new CommandFailed(
    ExitCode.notFound,
    `no session has the label "${visible(label)}"; list the sessions of all processes with: exec-console ps --all --json | jq -r '.[].session'`,
  );
}

export const unpause: Subcommand = {
  usage: 'unpause [flags] [ID]',
  summary: 'End a pause, and release held commands',
  help: 'Ends the pause ID, the pauses of one agent, or all pauses. Held commands start at once, unless they also need approval.',
  flags: {
    agent: { type: 'string', value: 'NAME', about: 'End every pause of this agent' },
    json: { type: 'boolean', about: 'Print the pauses that ended, as one JSON array' },
  },
  examples: ['unpause', 'unpause --agent ci'],
  words: 'any',
  exitCodes: [['5', 'There is no pause with this ID']],
  async execute(args, env) {
    const [id, ...rest] = args.words;
    const agent = args.text('agent');
    refuseSurplus(rest, unpause.usage);
    refuseEmpty(args.words, unpause.usage);
    if (id !== undefined && agent !== null) throw new UsageError('use either an ID or --agent, not both');
    return withGateway(gatewayAddress(args, env), async ({ client }) => {
      const { lifted } = await client.connection.request('console/unpause', {
        ...(id !== undefined && { id }),
        ...(agent !== null && { agent }),
        ...(id === undefined && agent === null && { all: true as const }),
      });
      if (lifted.length === 0 && id !== undefined)
        throw new CommandFailed(
          ExitCode.notFound,
          `there is no pause with the ID "${visible(id)}"; to end all pauses: exec-console unpause`,
        );
      const nothing =
        agent === null
          ? 'nothing was paused'
          : `there is no pause of ${visible(agent)}; to end all pauses: exec-console unpause`;
      if (args.has('json')) await printJson(lifted);
      else await print(lifted.length === 0 ? nothing : lifted.map(endedText).join('\n'));
      return ExitCode.ok;
    });
  },
};

const endedText = (each: Pause): string => `${each.id}: ended the pause of ${whatOf(each)}`;

function whatOf({ agent, session, thread }: Pause): string {
  if (thread !== null) return `thread ${visible(thread)} of ${visible(agent ?? '')}`;
  if (session !== null) return `session ${session} of ${visible(agent ?? '')}`;
  return agent === null ? 'all agents' : visible(agent);
}
