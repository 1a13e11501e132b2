// History filter, which selects the processes of a request.
import type { ProcessInfo } from '../../protocol/console.ts';

export interface Filter {
  readonly agent?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly failed?: boolean | undefined;
  readonly folder?: string | undefined;
  /** Returns a text as the reader sees it, so that a filter does not reveal masked text; default: unchanged. */
  readonly seen?: (text: string) => string;
}

/** Returns true when the filter selects the process. `endedAtMs`: null while the process runs. */
export function isWanted(
  {
    startedBy,
    startedAtMs,
    exitCode,
    signal,
    state,
    cwd,
  }: Pick<ProcessInfo, 'startedBy' | 'startedAtMs' | 'exitCode' | 'signal' | 'state' | 'cwd'>,
  endedAtMs: number | null,
  { agent, sinceMs, untilMs, failed, folder, seen = unchanged }: Filter,
): boolean {
  if (agent !== undefined && agent !== seen(startedBy)) return false;
  if (sinceMs !== undefined && endedAtMs !== null && endedAtMs < sinceMs) return false;
  if (untilMs !== undefined && startedAtMs >= untilMs) return false;
  if (folder !== undefined && !isWithin(seen(cwd), folder)) return false;
  return failed !== true || state === 'lost' || signal !== null || (exitCode !== null && exitCode !== 0);
}

const unchanged = (text: string): string => text;

/** Returns true for the folder and everything below it; compares whole names, since `/app` is not above `/apple`. */
const isWithin = (path: string, folder: string): boolean => withSlash(path).startsWith(withSlash(folder));

const withSlash = (path: string): string => `${path.replace(/\/+$/, '')}/`;
