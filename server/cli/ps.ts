// exec-console ps: what runs on the gateway.
import type { ProcessInfo } from '../../protocol/console.ts';
import { visible } from '../../text/visible.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, isLive, shortKeyLength, stateText } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { commandLine } from './notes.ts';
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
    stateText(info),
    age((info.exitedAtMs ?? now) - info.startedAtMs),
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

/** For how long it has run, or ran. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? `${hours}h${String(minutes % 60).padStart(2, '0')}m`
    : `${Math.floor(hours / 24)}d${String(hours % 24).padStart(2, '0')}h`;
}
