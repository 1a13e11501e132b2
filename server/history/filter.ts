// Filter of the history, which selects the processes of a request.
import type { ProcessInfo } from '../../protocol/console.ts';

export interface Filter {
  readonly agent?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly failed?: boolean | undefined;
}

/** `endedAtMs`: null while the process runs. */
export function isWanted(
  { startedBy, startedAtMs, exitCode, signal, state }: ProcessInfo,
  endedAtMs: number | null,
  { agent, sinceMs, untilMs, failed }: Filter,
): boolean {
  if (agent !== undefined && agent !== startedBy) return false;
  if (sinceMs !== undefined && endedAtMs !== null && endedAtMs < sinceMs) return false;
  if (untilMs !== undefined && startedAtMs >= untilMs) return false;
  return failed !== true || state === 'lost' || signal !== null || (exitCode !== null && exitCode !== 0);
}
