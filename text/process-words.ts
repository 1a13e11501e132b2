// Words for the state of a process that the page and the command line share: its status, its end and the act that ended
// it.
import type { ProcessInfo } from '../protocol/console.ts';
import { visible } from './visible.ts';
import { actText, actWord } from './act-text.ts';

/** `stopped`: a person or the gateway ended it, so it neither failed nor completed. */
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

/** The one word that a row and a pane show. */
export function statusOf({ state, exitCode, signal, terminatingSinceMs, endedBy }: Ending): ProcessStatus {
  switch (state) {
    case 'waiting-for-approval':
      return state;
    case 'starting':
    case 'running':
      return terminatingSinceMs === null ? state : 'terminating';
    case 'exited':
    case 'closed':
      // Nothing but a person's key or a tool of theirs sends a SIGINT.
      if (endedBy !== null || signal === 'SIGINT') return 'stopped';
      return exitCode === 0 && signal === null ? 'succeeded' : 'failed';
    case 'lost':
      return terminatingSinceMs === null ? 'lost' : 'terminating';
  }
}

/** True while it runs as far as anybody knows, or may still. */
export function isLive({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'starting' || state === 'running' || state === 'waiting-for-approval';
}

/** True for a process that failed by itself, probably because of its sandbox; one that was ended did not fail. */
export const isDenied = (info: Ending): boolean => info.sandboxDenied && statusOf(info) === 'failed';

/**
 * Returns true when it has exited but something still holds its output open: its remaining children can be ended too.
 */
export function isDraining({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'exited';
}

/** True for a start that has not begun: a person has to approve it first. */
export function isHeld({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'waiting-for-approval';
}

/** True when it needs a person to continue: to approve it, or to type. */
export function isWaiting(info: Pick<ProcessInfo, 'state' | 'waitsForInput'>): boolean {
  return isHeld(info) || (isLive(info) && info.waitsForInput);
}

/**
 * Returns true when it was suspended here and not resumed since; suspensions by its own terminal or machine are not
 * known here.
 */
export function isSuspended({ acts, ...info }: Pick<ProcessInfo, 'state' | 'acts'>): boolean {
  return isLive(info) && acts.findLast(({ how }) => how === 'suspend' || how === 'resume')?.how === 'suspend';
}

/**
 * The status as a person reads it, with how it ended unless all is well: `running`, `failed · exit 1`, `terminated by
 * page`.
 */
export function statusText(info: Ending): string {
  const status = statusOf(info);
  if (status === 'stopped') return stoppedText(info);
  if (status === 'terminating') return terminatingText(info);
  if (status === 'waiting-for-approval') return 'waiting for approval';
  if (status === 'lost' && info.stillRunning) return `lost, still running: pid ${info.pid}`;
  if (status === 'lost' && info.exitCode !== null) return `lost · ${endInWords(info)}`;
  if (status !== 'failed') return status;
  // The cause is only probable: the evidence is what the program printed about its failure.
  return `failed · ${endInWords(info)}${info.sandboxDenied ? ' · probably blocked by its sandbox' : ''}`;
}

/**
 * Returns the time when a finished process ended. For a lost one it is unknown; its last output is the latest known
 * time.
 */
export function endedAtMs({ startedAtMs, exitedAtMs, lastOutputAtMs }: Omit<Times, 'state'>): number {
  return exitedAtMs ?? lastOutputAtMs ?? startedAtMs;
}

/** Returns the status, but `waiting for input` while it waits for that, which matters more than that it runs. */
export function stateText(info: Ending & Pick<ProcessInfo, 'waitsForInput'>): string {
  return isWaiting(info) && !isHeld(info) ? 'waiting for input' : statusText(info);
}

/** Returns the time that it has run, or ran, in ms. */
export function elapsedMs({ state, startedAtMs, exitedAtMs, lastOutputAtMs }: Times, nowMs: number): number {
  const untilMs =
    exitedAtMs === null && state !== 'lost' ? nowMs : endedAtMs({ startedAtMs, exitedAtMs, lastOutputAtMs });
  return Math.max(0, untilMs - startedAtMs);
}

/** `exit 1`, `killed by SIGKILL`. */
function endInWords({ exitCode, signal }: Ending): string {
  if (signal !== null) return `killed by ${signal}`;
  return `exit ${exitCode ?? 'unknown'}`;
}

/** `terminated by page`; with the exit code where it has chosen one itself. */
function stoppedText({ endedBy, signal, exitCode }: Ending): string {
  const chosen = signal === null && exitCode !== null ? ` · exit ${exitCode}` : '';
  return `${endedBy ? actText(endedBy) : actWord('interrupt')}${chosen}`;
}

/** Returns the status during a terminate, with the name of the person who requested it. */
function terminatingText({ acts }: Ending): string {
  const act = acts.findLast(({ how }) => how === 'terminate' || how === 'kill');
  return act ? `terminating, by ${visible(act.who)}` : 'terminating';
}
