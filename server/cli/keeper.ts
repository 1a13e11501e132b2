// exec-console keeper: shows the state of the keeper, which holds processes while gateways restart, or stops it.
import { dateTimeText } from '../../text/amounts.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { askKeeper, stopKeeper } from '../keeper/link/ask-keeper.ts';
import type { Status } from '../keeper/wire/messages.ts';
import { visible } from '../../text/visible.ts';
import { GATEWAY_FLAGS } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { actOf, refuseSurplus } from './word-count.ts';

/** Time between SIGTERM and SIGKILL for processes that `stop` ends. */
const GRACE_MS = 3000;

export const keeper: Subcommand = {
  usage: 'keeper status | stop',
  summary: 'Show or stop the keeper of the state folder',
  help: `On Linux, processes run in a keeper, which keeps running without a gateway. It ends when Ctrl-C or SIGTERM stops
the gateway; if the gateway is gone for another reason, it ends after its last process. A gateway started with
--keeper off has no keeper.`,
  acts: [
    { name: 'status', usage: 'status', about: 'Print whether a keeper is running, and its processes' },
    {
      name: 'stop',
      usage: 'stop',
      about:
        'End all its processes (SIGTERM, then SIGKILL after 3 seconds) and the keeper itself; refused while a gateway uses it',
    },
  ],
  flags: {
    'state-dir': GATEWAY_FLAGS['state-dir'],
    json: { type: 'boolean', about: 'With status: print the status as JSON; null when there is no keeper' },
  },
  examples: ['keeper status', 'keeper stop'],
  exitCodes: [['5', 'There is no keeper']],
  isLocal: true,
  words: 'any',
  async execute(args, env) {
    const [word, ...rest] = args.words;
    const act = actOf('keeper', keeper, word);
    refuseSurplus(rest, keeper.usage);
    const stateDir = stateDirOf(args.text('state-dir'), env);
    if (act === 'status') return status(stateDir, args.has('json'));
    args.allowOnly('keeper stop', ['state-dir']);
    const there = await askKeeper(stateDir);
    if (there?.gatewayPid)
      throw new CommandFailed(
        ExitCode.failed,
        `the gateway with PID ${there.gatewayPid} uses this keeper; stop the gateway, and the keeper ends with it`,
      );
    if (!(await stopKeeper(stateDir, GRACE_MS))) throw none(stateDir);
    await print(
      'The keeper and its processes have ended. A program that left its OS session may still be running.',
    );
    return ExitCode.ok;
  },
};

async function status(stateDir: string, asJson: boolean): Promise<number> {
  const there = await askKeeper(stateDir);
  if (asJson) await printJson(there);
  else if (there) await print(inWords(there).join('\n'));
  else throw none(stateDir);
  return there ? ExitCode.ok : ExitCode.notFound;
}

const none = (stateDir: string): CommandFailed =>
  new CommandFailed(
    ExitCode.notFound,
    findLocalGateway(stateDir)
      ? 'there is no keeper; the gateway of this state folder was started without one'
      : `there is no keeper for ${visible(stateDir)}`,
  );

function inWords(status: Status): string[] {
  const { pid, startedAtMs, gatewayPid, aloneSinceMs, processes, notUpgraded = null } = status;
  const gateway =
    gatewayPid === null
      ? `no gateway since ${dateTimeText(aloneSinceMs ?? startedAtMs)}`
      : `gateway with PID ${gatewayPid}`;
  return [
    `Keeper with PID ${pid}, since ${dateTimeText(startedAtMs)}, ${gateway}`,
    ...(notUpgraded === null ? [] : [`  It could not be upgraded: ${visible(notUpgraded)}`]),
    ...processes.map(
      (each) =>
        `  ${each.key}  PID ${each.pid}${each.hasExited ? ', exited, output pipe still open' : ''}` +
        (each.endsAtMs === null ? '' : `, ends at ${dateTimeText(each.endsAtMs)}`),
    ),
  ];
}
