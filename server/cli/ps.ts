// exec-console ps: lists the processes of the gateway.
import type { ProcessInfo } from '../../protocol/console.ts';
import { durationText } from '../../text/amounts.ts';
import { commandLine } from '../../text/command-line.ts';
import { isLive, stateText } from '../../text/process-words.ts';
import { visible } from '../../text/visible.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, shortKeyLength } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import { printNames, QUIET_FLAG } from './process-names.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { headOf } from '../../text/cut.ts';

export const ps: Subcommand = {
  usage: 'ps [flags]',
  summary: 'List processes',
  help: `Lists all running processes, newest last. The column KEY shows a unique prefix of each key, at least 8 characters
long; other commands accept any unique prefix, or a label.`,
  flags: {
    all: { type: 'boolean', short: 'a', about: 'Also list finished processes' },
    quiet: QUIET_FLAG,
    json: { type: 'boolean', about: 'Print one JSON array with all fields of each process' },
  },
  examples: ['ps', 'ps --all', "ps --json | jq -r '.[].key'"],
  words: 0,
  execute: (args, env) => {
    args.refuseBoth('quiet', 'json');
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const all = await allProcesses(gateway);
      const wanted = (args.has('all') ? all : all.filter(isLive)).toSorted(
        (one, other) => one.startedAtMs - other.startedAtMs,
      );
      if (args.has('json')) await printJson(wanted);
      else if (args.has('quiet')) await printNames(wanted, all);
      else await print(listed(wanted, shortKeyLength(all.map(({ key }) => key))));
      return ExitCode.ok;
    });
  },
};

function listed(processes: readonly ProcessInfo[], keyLength: number): string {
  const now = Date.now();
  const rows = processes.map((info) => [
    info.key.slice(0, keyLength),
    stateOf(info),
    durationText((info.exitedAtMs ?? now) - info.startedAtMs),
    visible(info.startedBy),
    `${info.label === null ? '' : `[${visible(info.label)}] `}${commandLine(info.argv)}`,
  ]);
  const lines = [['KEY', 'STATE', 'TIME', 'BY', 'COMMAND'], ...rows];
  const room = process.stdout.isTTY && process.stdout.columns ? process.stdout.columns : Infinity;
  return table(lines)
    .split('\n')
    .map((line) => (line.length > room ? `${headOf(line, room - 1)}…` : line))
    .join('\n');
}

/** Returns the state as on the page; while a process is being terminated, also the number of survivors, if any. */
export function stateOf(info: ProcessInfo): string {
  const left = info.terminatingSinceMs === null ? 0 : info.survivors.length;
  return `${stateText(info)}${left > 0 ? ` (${left} left)` : ''}`;
}
