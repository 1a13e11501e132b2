// Words for a process's state, shared by the page and the command line: its status, its end, and the act that
// ended it.
import type { ProcessInfo } from '../protocol/console.ts';
import { SOMEBODY } from '../protocol/console-constants.ts';
import { visible } from './visible.ts';
import { actText, actWord } from './act-text.ts';

/** `stopped`: ended by a person, an agent or the gateway, or by SIGINT; it neither failed nor succeeded. */
export type ProcessStatus =
  | 'waiting-for-approval'
  | 'starting'
  | 'running'
  | 'terminating'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'lost';

type Ending = Pick<
  ProcessInfo,
  'state' | 'exitCode' | 'signal' | 'terminatingSinceMs' | 'sandboxDenied' | 'endedBy' | 'acts'
> &
  Partial<Pick<ProcessInfo, 'stillRunning' | 'pid'>>;
type Times = Pick<ProcessInfo, 'state' | 'startedAtMs' | 'exitedAtMs' | 'lastOutputAtMs'>;

export function statusOf({ state, exitCode, signal, terminatingSinceMs, endedBy }: Ending): ProcessStatus {
  switch (state) {
    case 'waiting-for-approval':
      return state;
    case 'starting':
    case 'running':
      return terminatingSinceMs === null ? state : 'terminating';
    case 'exited':
    case 'closed':
      // SIGINT counts as a stop, since it normally comes from a person, for example by Ctrl+C.
      if (endedBy !== null || signal === 'SIGINT') return 'stopped';
      return exitCode === 0 && signal === null ? 'succeeded' : 'failed';
    case 'lost':
      return terminatingSinceMs === null ? 'lost' : 'terminating';
  }
}

/** Returns true while the process is running, starting, or waiting for approval; false if the process is lost. */
export function isLive({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'starting' || state === 'running' || state === 'waiting-for-approval';
}

/**
 * Returns true if the process failed by itself, probably because of its sandbox; a process that was stopped did not
 * fail.
 */
export const isDenied = (info: Ending): boolean => info.sandboxDenied && statusOf(info) === 'failed';

/** Returns true if the process has exited but its output is still open, normally because children hold the pipe. */
export function isDraining({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'exited';
}

/** Returns true for a start that is waiting for approval. */
export function isHeld({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'waiting-for-approval';
}

/** Returns true when the process needs a person, for an approval or for input. */
export function isWaiting(info: Pick<ProcessInfo, 'state' | 'waitsForInput'>): boolean {
  return isHeld(info) || (isLive(info) && info.waitsForInput);
}

/** Returns true if one of the process's listed acts, the newest 20, has closed its stdin. */
export const isStdinClosed = ({ acts }: Pick<ProcessInfo, 'acts'>): boolean =>
  acts.some(({ how }) => how === 'closeStdin');

/** Returns true if the gateway suspended the live process and has not resumed it; other suspensions are not known. */
export function isSuspended({ acts, ...info }: Pick<ProcessInfo, 'state' | 'acts'>): boolean {
  return isLive(info) && acts.findLast(({ how }) => how === 'suspend' || how === 'resume')?.how === 'suspend';
}

/**
 * Returns the status, with the kind of end unless it succeeded: `running`, `failed · exit 1`, `terminated by
 * page`.
 */
export function statusText(info: Ending): string {
  const status = statusOf(info);
  if (status === 'stopped') return stoppedText(info);
  if (status === 'terminating') return terminatingText(info);
  if (status === 'waiting-for-approval') return 'waiting for approval';
  if (status === 'lost' && info.stillRunning) return `lost, still running: PID ${info.pid}`;
  if (status === 'lost' && info.exitCode !== null) return `lost · ${endInWords(info)}`;
  if (status !== 'failed') return status;
  // The block is only probable, since it is inferred from the process's output.
  return `failed · ${endInWords(info)}${info.sandboxDenied ? ' · probably blocked by its sandbox' : ''}`;
}

/** Returns the time at which a process exited; if unknown, the time of its last output or else of its start. */
export function endedAtMs({ startedAtMs, exitedAtMs, lastOutputAtMs }: Omit<Times, 'state'>): number {
  return exitedAtMs ?? lastOutputAtMs ?? startedAtMs;
}

/** Returns `waiting for input` while the process is waiting for input, otherwise the status. */
export function stateText(info: Ending & Pick<ProcessInfo, 'waitsForInput'>): string {
  return isWaiting(info) && !isHeld(info) ? 'waiting for input' : statusText(info);
}

/** Returns the time for which the process has run, or ran, in ms. */
export function elapsedMs({ state, startedAtMs, exitedAtMs, lastOutputAtMs }: Times, nowMs: number): number {
  const untilMs =
    exitedAtMs === null && state !== 'lost' ? nowMs : endedAtMs({ startedAtMs, exitedAtMs, lastOutputAtMs });
  return Math.max(0, untilMs - startedAtMs);
}

/** Returns `exit 1` or `killed by SIGKILL`, for example. */
function endInWords({ exitCode, signal }: Ending): string {
  if (signal !== null) return `killed by ${signal}`;
  return `exit ${exitCode ?? 'unknown'}`;
}

/** Returns `terminated by page`, for example, with the exit code unless a signal ended the process. */
function stoppedText({ endedBy, signal, exitCode }: Ending): string {
  const chosen = signal === null && exitCode !== null ? ` · exit ${exitCode}` : '';
  return `${endedBy ? actText(endedBy) : actWord('interrupt')}${chosen}`;
}

/** Returns the status during a termination, with the name of the requester if known. */
function terminatingText({ acts }: Ending): string {
  const act = acts.findLast(({ how }) => how === 'terminate' || how === 'kill');
  return act && act.who !== SOMEBODY ? `terminating (${visible(act.who)})` : 'terminating';
}
