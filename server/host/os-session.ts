// Finds and signals processes of a child: its group, its OS session, and the foreground job of its terminal.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type OsProcess, osProcess, osProcesses, whenKnown } from './os-process.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/**
 * Returns all live processes of the OS session or group that `leader` leads or led; `notBeforeMs` as for
 * `osProcesses`.
 */
export function sessionMembers(leader: number, notBeforeMs?: number): OsProcess[] {
  return osProcesses(notBeforeMs).filter(({ session, group }) => session === leader || group === leader);
}

/**
 * Returns the process group that an interrupt reaches: the foreground job of the terminal, as with Ctrl+C;
 * without a terminal, the group of the leader.
 */
export function interruptTarget(leader: number): number {
  const foreground = osProcess(leader)?.foreground ?? 0;
  return foreground > 1 ? foreground : leader;
}

/**
 * Returns true when a process has a descriptor with one of these names in /proc; null when reading its descriptors
 * is not permitted. Throws when the system's resources are exhausted.
 */
export function openOrHidden(pid: number, names: readonly string[]): boolean | null {
  const folder = `/proc/${pid}/fd`;
  try {
    return withDescriptor(() => readdirSync(folder)).some((fd) =>
      names.includes(linkOf(join(folder, fd)) ?? ''),
    );
  } catch (error) {
    if (starvation(error)) throw error;
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? null : false;
  }
}

/** Variant of `openOrHidden` that returns false instead of null, and reads nothing when there are no names. */
export const hasOpen = (pid: number, names: readonly string[]): boolean =>
  names.length > 0 && openOrHidden(pid, names) === true;

/**
 * Returns the target of a descriptor's link; null when it cannot be read, usually because the descriptor was closed.
 */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Signals a process group; does nothing when it has ended or belongs to another user. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(-group, signal);
}

/**
 * Signals one process, and returns its state right before. Returns null, and sends no signal, when the process has
 * ended, its PID was reused or resources are exhausted.
 */
export function signalProcess(target: OsProcess, signal: NodeJS.Signals): OsProcess | null {
  const now = whenKnown(() => osProcess(target.pid));
  if (now?.startTime !== target.startTime) return null;
  send(target.pid, signal);
  return now;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: the process now belongs to another user, for example after sudo.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
