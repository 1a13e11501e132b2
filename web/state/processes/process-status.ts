// What a process's record means in a person's words: the status, how it ended and by whom, for how long, how much.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { ACT_WORDS, actText } from './act-text.ts';

/** `stopped`: somebody, or the gateway, has ended it, so that it has not failed, nor done all it would have. */
export type ProcessStatus =
  'starting' | 'running' | 'terminating' | 'succeeded' | 'failed' | 'stopped' | 'lost';

type Ending = Pick<
  ProcessInfo,
  'state' | 'exitCode' | 'signal' | 'terminatingSinceMs' | 'sandboxDenied' | 'endedBy' | 'acts'
>;
type Times = Pick<ProcessInfo, 'state' | 'startedAtMs' | 'exitedAtMs' | 'lastOutputAtMs'>;

/** The one word that a row and a pane show. */
export function statusOf({ state, exitCode, signal, terminatingSinceMs, endedBy }: Ending): ProcessStatus {
  switch (state) {
    case 'starting':
    case 'running':
      return terminatingSinceMs === null ? state : 'terminating';
    case 'exited':
    case 'closed':
      // Nothing but a person's key or a tool of theirs sends a SIGINT.
      if (endedBy !== null || signal === 'SIGINT') return 'stopped';
      return exitCode === 0 && signal === null ? 'succeeded' : 'failed';
    case 'lost':
      return 'lost';
  }
}

/** Whether it still runs, as far as anybody knows. */
export function isLive({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'starting' || state === 'running';
}

/** Whether it has ended and somebody still holds its output open: what it left behind can be ended too. */
export function isDraining({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'exited';
}

/** Whether somebody must type for it to go on. */
export function isWaiting(info: Pick<ProcessInfo, 'state' | 'waitsForInput'>): boolean {
  return isLive(info) && info.waitsForInput;
}

/** Whether it was suspended here and not resumed since; what its own terminal or machine does to it nobody here is told. */
export function isSuspended({ acts, ...info }: Pick<ProcessInfo, 'state' | 'acts'>): boolean {
  return isLive(info) && acts.findLast(({ how }) => how === 'suspend' || how === 'resume')?.how === 'suspend';
}

/** The status as a person reads it, with how it ended unless all is well: `running`, `failed · exit 1`, `terminated by page`. */
export function statusText(info: Ending): string {
  const status = statusOf(info);
  if (status === 'stopped') return stoppedText(info);
  if (status === 'terminating') return terminatingText(info);
  if (status !== 'failed') return status;
  // Nobody can be sure of it: what a program says of its failure decides.
  return `failed · ${endInWords(info)}${info.sandboxDenied ? ' · probably denied by its sandbox' : ''}`;
}

/** When what is over has ended. Nobody knows it of a lost one; that it printed something is the last that is known. */
export function endedAtMs({ startedAtMs, exitedAtMs, lastOutputAtMs }: Omit<Times, 'state'>): number {
  return exitedAtMs ?? lastOutputAtMs ?? startedAtMs;
}

/** The same while it may need somebody: that it waits says more than that it runs. */
export function stateText(info: Ending & Pick<ProcessInfo, 'waitsForInput'>): string {
  return isWaiting(info) ? 'waits for input' : statusText(info);
}

/** How long it has run, or ran. */
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
  return `${endedBy ? actText(endedBy) : ACT_WORDS.interrupt}${chosen}`;
}

/** Whose terminate it is that is under way. */
function terminatingText({ acts }: Ending): string {
  const act = acts.findLast(({ how }) => how === 'terminate' || how === 'kill');
  return act ? `terminating, by ${visible(act.who)}` : 'terminating';
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `just now`, `3 m ago`, `2 h ago`, `4 d ago`: no more of it than stays true for a while. */
export function agoText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** `0.4 s`, `12 s`, `3 m 04 s`, `1 h 02 m`, `2 d 03 h`; tenths below ten seconds when `exact`. */
export function durationText(ms: number, exact = false): string {
  const seconds = Math.max(0, ms) / 1000;
  if (exact && seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${two(whole % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? `${hours} h ${two(minutes % 60)} m`
    : `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** `21:47` of the local day, `21:47:09` when `exact`. */
export function clockText(ms: number, exact = false): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), ...(exact ? [at.getSeconds()] : [])].map(two).join(':');
}

/** `5m 04s`, as it stands in a sentence. */
export const shortDurationText = (ms: number): string => durationText(ms).replaceAll(/ (?=[a-z])/g, '');

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `812 bytes`, `48.2 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // From 999.95 on, one digit after the point would print 1000.0.
  while (value >= (unit === 0 ? 1000 : 999.95) && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
