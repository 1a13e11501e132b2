// exec-console history: lists processes of this gateway and of earlier ones, and removes recordings.
import { resolve } from 'node:path';
import type { HistoryEntry } from '../../protocol/history.ts';
import type { Requests } from '../../protocol/methods.ts';
import { bytesText, dateTimeText, durationText } from '../../text/amounts.ts';
import { commandLine } from '../../text/command-line.ts';
import { stateText } from '../../text/process-words.ts';
import { ADDRESS_FLAGS, type Arguments } from './arguments.ts';
import { retryAfterLoss, withGateway, type Gateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { shortKeyLength } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { moment } from './moment.ts';
import { print, printJson } from './print.ts';
import { printNames, QUIET_FLAG } from './process-names.ts';
import { findRecorded, recorded, type HistoryQuery } from './recorded.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';
import { refuseEmpty, refuseSurplus } from './word-count.ts';
import { headOf } from '../../text/cut.ts';

export const HISTORY_FLAGS = {
  agent: { type: 'string', value: 'NAME', about: 'Only processes that this agent or person started' },
  since: {
    type: 'string',
    value: 'TIME',
    about:
      'Only processes that ran since TIME: 10m, 2h or 3d (ago), or a date such as 2026-11-26 or 2026-11-26T14:30',
  },
  folder: { type: 'string', value: 'PATH', about: 'Only processes started in this folder or below it' },
  failed: {
    type: 'boolean',
    about: 'Only failed processes: non-zero exit code, ended by a signal, or lost with their gateway',
  },
} as const;

export const history: Subcommand = {
  usage: 'history [flags] | rm KEY | rm --before TIME | rm --agent NAME',
  summary: 'List earlier and running processes, or remove recordings',
  help: `Lists the recorded processes of this gateway and of earlier ones, newest first. "exec-console
logs KEY" prints their output, and "exec-console search TEXT" searches it. "rm" permanently removes recordings
and their entries (admins only): one by its key, or all that match --before and --agent; it refuses the other
filters, and running processes.`,
  flags: {
    ...HISTORY_FLAGS,
    before: { type: 'string', value: 'TIME', about: 'With rm: only processes that ended before this time' },
    quiet: QUIET_FLAG,
    json: {
      type: 'boolean',
      about: 'Print one JSON array; with rm, the number of recordings and bytes removed',
    },
  },
  examples: [
    'history --since 10m',
    'history --agent claude --failed --json',
    'history --folder .',
    'history rm --before 2026-11-01',
  ],
  exitCodes: [['5', 'With rm: no matching process, or more than one']],
  completes: ['rm'],
  completesAfter: { rm: 'recorded' },
  words: 'any',
  execute: (args, env) => {
    const [act, name, ...more] = args.words;
    if (act === undefined && args.text('before') !== null)
      throw new UsageError('--before works only with "history rm"; use --since to limit the list');
    if (act === undefined) {
      args.refuseBoth('quiet', 'json');
      const query = queryOf(args);
      return withGateway(gatewayAddress(args, env), (gateway) => listHistory(gateway, query, args));
    }
    refuseSurplus(act === 'rm' ? more : args.words, history.usage);
    refuseEmpty(args.words, history.usage);
    args.allowOnly('history rm', ['before', 'agent', 'json', ...ADDRESS_FLAGS]);
    const wanted = removalOf(args, name ?? null);
    return withGateway(gatewayAddress(args, env), (gateway) => remove(gateway, name ?? null, wanted, args));
  },
};

/** Parses the flags of a query. Throws UsageError. */
export function queryOf(args: Arguments): HistoryQuery {
  const [agent, since, folder] = [args.text('agent'), args.text('since'), args.text('folder')];
  return {
    ...(agent !== null && { agent }),
    ...(since !== null && { sinceMs: moment('--since', since) }),
    ...(folder !== null && { folder: resolve(folder) }),
    ...(args.has('failed') && { failed: true }),
  };
}

async function listHistory(gateway: Gateway, query: HistoryQuery, args: Arguments): Promise<number> {
  const all: HistoryEntry[] = [];
  for await (const entry of recorded(gateway, query)) all.push(entry);
  if (args.has('json')) await printJson(all.map(shownEntry));
  else if (args.has('quiet')) await printNames(all, all);
  else await print(listed(all));
  return ExitCode.ok;
}

/** Returns the members of an entry that scripts may rely on. */
function shownEntry(entry: HistoryEntry) {
  const { key, argv, startedBy, metadata, startedAtMs, exitedAtMs, exitCode, signal, state } = entry;
  const { outputBytes, recordedBytes } = entry;
  return {
    key,
    argv,
    startedBy,
    metadata,
    startedAtMs,
    exitedAtMs,
    exitCode,
    signal,
    state,
    outputBytes,
    recordedBytes,
  };
}

function listed(entries: readonly HistoryEntry[]): string {
  const keyLength = shortKeyLength(entries.map(({ key }) => key));
  const rows = entries.map((entry) => [
    entry.key.slice(0, keyLength),
    dateTimeText(entry.startedAtMs),
    entry.exitedAtMs === null ? '' : durationText(entry.exitedAtMs - entry.startedAtMs),
    stateText(entry),
    entry.startedBy,
    bytesText(entry.outputBytes),
    `${entry.label === null ? '' : `[${entry.label}] `}${commandLine(entry.argv)}`,
  ]);
  const lines = table([['KEY', 'STARTED', 'TIME', 'STATE', 'BY', 'OUTPUT', 'COMMAND'], ...rows]).split('\n');
  const room =
    process.stdout.isTTY && process.stdout.columns ? process.stdout.columns : Number.POSITIVE_INFINITY;
  return lines.map((line) => (line.length > room ? `${headOf(line, room - 1)}…` : line)).join('\n');
}

type Removal = Omit<Requests['console/historyRemove']['params'], 'keys'>;

/**
 * Parses the flags by which "history rm" selects recordings. Throws UsageError for an invalid time, and when there is
 * neither such a flag nor a key.
 */
function removalOf(args: Arguments, name: string | null): Removal {
  const [agent, before] = [args.text('agent'), args.text('before')];
  if (name === null && agent === null && before === null)
    throw new UsageError('history rm needs a KEY, --before TIME or --agent NAME');
  return {
    ...(agent !== null && { agent }),
    ...(before !== null && { beforeMs: moment('--before', before) }),
  };
}

async function remove(
  gateway: Gateway,
  name: string | null,
  wanted: Removal,
  args: Arguments,
): Promise<number> {
  const params = {
    ...(name !== null && { keys: [(await findRecorded(gateway, name)).key] }),
    ...wanted,
  };
  const { connection } = gateway.client;
  const { removed, removedBytes } = await retryAfterLoss(gateway, () =>
    connection.request('console/historyRemove', params),
  );
  if (args.has('json')) await printJson({ removed, removedBytes });
  else
    await print(
      `Removed ${removed} ${removed === 1 ? 'recording' : 'recordings'} (${bytesText(removedBytes)})`,
    );
  return ExitCode.ok;
}
