// exec-console ps: what runs on the gateway.
import type { ProcessInfo } from '../../protocol/console.ts';
import { shortDurationText } from '../../text/amounts.ts';
import { commandLine } from '../../text/command-line.ts';
import { isLive, stateText } from '../../text/process-words.ts';
import { visible } from '../../text/visible.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, shortKeyLength } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';

export const ps: Subcommand = {
  usage: 'ps [flags]',
  summary: 'list the processes',
  help: `Lists the processes that run, whoever has started them, the latest last.

  --all, -a            those too that have ended and are still kept
  --json               one JSON array of all that is known of each

KEY is as much of a key as tells it from the others; every command takes that much of it, or a label.`,
  flags: { all: { type: 'boolean', short: 'a' }, json: { type: 'boolean' } },
  words: 0,
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), async (gateway) => {
      const all = await allProcesses(gateway);
      const wanted = (args.has('all') ? all : all.filter(isLive)).toSorted(
        (one, other) => one.startedAtMs - other.startedAtMs,
      );
      if (args.has('json')) await printJson(wanted);
      else await print(listed(wanted, shortKeyLength(all.map(({ key }) => key))));
      return ExitCode.ok;
    }),
};

function listed(processes: readonly ProcessInfo[], keyLength: number): string {
  const now = Date.now();
  const rows = processes.map((info) => [
    info.key.slice(0, keyLength),
    stateOf(info),
    shortDurationText((info.exitedAtMs ?? now) - info.startedAtMs),
    visible(info.startedBy),
    `${info.label === null ? '' : `[${visible(info.label)}] `}${commandLine(info.argv)}`,
  ]);
  const lines = [['KEY', 'STATE', 'TIME', 'BY', 'COMMAND'], ...rows];
  const room = process.stdout.isTTY && process.stdout.columns ? process.stdout.columns : Infinity;
  return table(lines)
    .split('\n')
    .map((line) => (line.length > room ? `${line.slice(0, room - 1)}…` : line))
    .join('\n');
}

/** The page's words, and while it is being terminated the number of its processes that are left. */
export function stateOf(info: ProcessInfo): string {
  const left = info.terminatingSinceMs === null ? 0 : info.survivors.length;
  return `${stateText(info)}${left > 0 ? ` (${left} left)` : ''}`;
}
