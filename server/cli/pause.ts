// exec-console pause and unpause: hold what agents start, and let it go on.
import type { Pause } from '../../protocol/approvals.ts';
import { visible } from '../../text/visible.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';

export const pause: Subcommand = {
  usage: 'pause [flags]',
  summary: 'hold every new command of agents, or of one',
  help: `Holds every new start, until exec-console unpause. What is held is listed by exec-console approvals, and exec-console
approve ID lets one of them go on. It also holds after a restart of the gateway.

  --agent NAME         only of this agent: the name of its token
  --session LABEL      only of this session
  --thread ID          with --session: only of this thread, and of what claims to be a new one or none
  --interrupt          interrupts what runs, too
  --json               the pause`,
  flags: {
    agent: { type: 'string' },
    session: { type: 'string' },
    thread: { type: 'string' },
    interrupt: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: 0,
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), async ({ client }) => {
      const named = (['agent', 'session', 'thread'] as const).flatMap((name) => {
        const text = args.text(name);
        return text === null ? [] : [[name, text] as const];
      });
      const { pause: made } = await client.connection.request('console/pause', {
        ...(named.length === 0 ? { all: true as const } : Object.fromEntries(named)),
        interrupt: args.has('interrupt'),
      });
      if (args.has('json')) await printJson(made);
      else await print(`${made.id}: ${whatOf(made)} is paused`);
      return ExitCode.ok;
    }),
};

export const unpause: Subcommand = {
  usage: 'unpause [flags] [ID]',
  summary: 'let go on what is paused',
  help: `Ends the pause ID, those of one agent, or all. What they held and nothing else asks about starts at once.

  --agent NAME         every pause that is about this agent
  --json               the pauses that have ended, as one array`,
  flags: { agent: { type: 'string' }, json: { type: 'boolean' } },
  words: 'any',
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), async ({ client }) => {
      const [id] = args.words;
      const agent = args.text('agent');
      const { lifted } = await client.connection.request('console/unpause', {
        ...(id !== undefined && { id }),
        ...(agent !== null && { agent }),
        ...(id === undefined && agent === null && { all: true as const }),
      });
      if (args.has('json')) await printJson(lifted);
      else await print(lifted.length === 0 ? 'nothing was paused' : lifted.map(goesOn).join('\n'));
      return ExitCode.ok;
    }),
};

const goesOn = (each: Pause): string => `${each.id}: ${whatOf(each)} goes on`;

function whatOf({ agent, session, thread }: Pause): string {
  if (thread !== null) return `thread ${visible(thread)} of ${visible(agent ?? '')}`;
  if (session !== null) return `session ${session} of ${visible(agent ?? '')}`;
  return agent === null ? 'everything' : visible(agent);
}
