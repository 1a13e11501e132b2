// The processes behind a child: its group, its OS session, the job in its terminal's foreground.
import { readdirSync, readFileSync } from 'node:fs';

/** One live process; `startTime` (clock ticks since boot) tells it from a later one with the same pid. */
export interface OsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The group in its terminal's foreground, or -1. */
  readonly foreground: number;
  readonly startTime: number;
  readonly name: string;
}

/** Reads one process; null when there is none, or only its zombie. */
export function osProcess(pid: number): OsProcess | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const number = (index: number): number => Number(fields[index]);
  return {
    pid,
    name,
    parent: number(0),
    group: number(1),
    session: number(2),
    foreground: number(4),
    startTime: number(18),
  };
}

/** Every live process of the OS session or group that `leader` leads or led. */
export function sessionMembers(leader: number): OsProcess[] {
  const members: OsProcess[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const each = osProcess(pid);
    if (each && (each.session === leader || each.group === leader)) members.push(each);
  }
  return members;
}

/** The group that an interrupt on a terminal goes to: its foreground job, as for the key. */
export function interruptTarget(leader: number): number {
  const foreground = osProcess(leader)?.foreground ?? -1;
  return foreground > 1 ? foreground : leader;
}

/** Signals a whole process group; one that is gone needs none. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(-group, signal);
}

/** Signals one process, if it is still the one that was meant. */
export function signalProcess(target: OsProcess, signal: NodeJS.Signals): void {
  if (osProcess(target.pid)?.startTime === target.startTime) send(target.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
