// exec-console ps: lists the processes of the gateway.
import type { ProcessInfo } from '../../protocol/console.ts';
import { durationText } from '../../text/amounts.ts';
import { commandLine } from '../../text/command-line.ts';
import { isLive, stateText } from '../../text/process-words.ts';
import { visible } from '../../text/visible.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, candidatesFor, shortKeyLength } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';

export const ps: Subcommand = {
  usage: 'ps [flags]',
  summary: 'List processes',
  help: `Lists the running processes, whoever started them, the newest last. KEY is the beginning of a key that no other
process has; other commands accept that, more of the key, or a label.`,
  flags: {
    all: { type: 'boolean', short: 'a', about: 'List finished processes too' },
    quiet: {
      type: 'boolean',
      short: 'q',
      about:
        'Print one name per line: the label if it is plain and names only this process, otherwise the key',
    },
    json: { type: 'boolean', about: 'Print one JSON array with everything known of each process' },
  },
  examples: ['ps', 'ps --all', "ps --json | jq -r '.[].key'"],
  words: 0,
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), async (gateway) => {
      const all = await allProcesses(gateway);
      const wanted = (args.has('all') ? all : all.filter(isLive)).toSorted(
        (one, other) => one.startedAtMs - other.startedAtMs,
      );
      if (args.has('json')) await printJson(wanted);
      else if (args.has('quiet')) await printNames(wanted, all);
      else await print(listed(wanted, shortKeyLength(all.map(({ key }) => key))));
      return ExitCode.ok;
    }),
};

/** Label that a shell reads as one plain word. */
const PLAIN = /^\w[\w.-]*$/;

/** Returns names that every command accepts. Agents choose the labels, so only plain ones are printed for a shell. */
export function namesOf(wanted: readonly ProcessInfo[], all: readonly ProcessInfo[]): string[] {
  const keyLength = shortKeyLength(all.map(({ key }) => key));
  return wanted.map((info) => {
    const { key, label } = info;
    const isName = label !== null && PLAIN.test(label) && isOnly(candidatesFor(all, label), info);
    return isName ? label : key.slice(0, keyLength);
  });
}

const isOnly = (candidates: readonly ProcessInfo[], info: ProcessInfo): boolean =>
  candidates.length === 1 && candidates[0] === info;

async function printNames(wanted: readonly ProcessInfo[], all: readonly ProcessInfo[]): Promise<void> {
  if (wanted.length > 0) await print(namesOf(wanted, all).join('\n'));
}

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
    .map((line) => (line.length > room ? `${line.slice(0, room - 1)}…` : line))
    .join('\n');
}

/**
 * Returns the state as on the page; while a process is being terminated, also the number of remaining OS processes.
 */
export function stateOf(info: ProcessInfo): string {
  const left = info.terminatingSinceMs === null ? 0 : info.survivors.length;
  return `${stateText(info)}${left > 0 ? ` (${left} left)` : ''}`;
}
