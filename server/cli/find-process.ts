// Finds the process that a person refers to: by its key, the beginning of its key, or its label.
import type { ProcessInfo } from '../../protocol/console.ts';
import { commandLine } from '../../text/command-line.ts';
import { isLive } from '../../text/process-words.ts';
import { visible } from '../../text/visible.ts';
import { retryAfterLoss, type Gateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';

/** Maximum number of listed candidates when a name is ambiguous. */
const LISTED = 10;
/** Minimum length of a shortened key. */
const SHORT_KEY = 8;

export async function allProcesses(gateway: Gateway): Promise<readonly ProcessInfo[]> {
  const { connection } = gateway.client;
  const { processes } = await retryAfterLoss(gateway, () => connection.request('console/watch', {}));
  return processes;
}

/**
 * Returns the process whose key is `name`; if there is none, the processes whose label is `name` or whose key begins
 * with it, and of these only the live ones if any is live.
 */
export function candidatesFor(processes: readonly ProcessInfo[], name: string): readonly ProcessInfo[] {
  const exact = processes.find(({ key }) => key === name);
  if (exact) return [exact];
  const matches = processes.filter(({ key, label }) => key.startsWith(name) || label === name);
  const live = matches.filter(isLive);
  return live.length > 0 ? live : matches;
}

/**
 * Returns the only process of `candidatesFor`. Throws CommandFailed when there is none, or more than one; `list`: the
 * command that lists all processes, for the error.
 */
export function findProcess(
  processes: readonly ProcessInfo[],
  name: string,
  list = 'exec-console ps --all',
): ProcessInfo {
  const candidates = candidatesFor(processes, name);
  const [only] = candidates;
  if (!only) {
    throw new CommandFailed(
      ExitCode.notFound,
      `no process has the label "${visible(name)}" or a key that begins with it; list all with: ${list}`,
    );
  }
  if (candidates.length === 1) return only;
  const lines = candidates
    .slice(0, LISTED)
    .map(
      ({ key, label, argv }) =>
        `  ${key}  ${label === null ? '' : `[${visible(label)}] `}${commandLine(argv)}`,
    );
  const more = candidates.length > LISTED ? [`  and ${candidates.length - LISTED} more`] : [];
  throw new CommandFailed(
    ExitCode.notFound,
    [`"${visible(name)}" matches several processes; use more characters of the key:`, ...lines, ...more].join(
      '\n',
    ),
  );
}

/** Returns the smallest number of first characters, at least SHORT_KEY, in which all keys differ. */
export function shortKeyLength(keys: readonly string[]): number {
  const longest = Math.max(SHORT_KEY, ...keys.map(({ length }) => length));
  for (let length = SHORT_KEY; length < longest; length += 1) {
    if (new Set(keys.map((key) => key.slice(0, length))).size === keys.length) return length;
  }
  return longest;
}
