// The processes behind a child: its group, its OS session, the job in its terminal's foreground.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type OsProcess, osProcess, osProcesses, whenKnown } from './os-process.ts';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/** Every live process of the OS session or group that `leader` leads or led; `notBeforeMs` as for `osProcesses`. */
export function sessionMembers(leader: number, notBeforeMs?: number): OsProcess[] {
  return osProcesses(notBeforeMs).filter(({ session, group }) => session === leader || group === leader);
}

/** The group that an interrupt on a terminal goes to: its foreground job, as for the key. */
export function interruptTarget(leader: number): number {
  const foreground = osProcess(leader)?.foreground ?? 0;
  return foreground > 1 ? foreground : leader;
}

/**
 * True when a process has one of these open, by the names that /proc has for them; null where nobody may see that. Throws
 * when the system has too little for a look.
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

/** The same, false where nobody may see it. */
export const hasOpen = (pid: number, names: readonly string[]): boolean => openOrHidden(pid, names) === true;

/** Null for a descriptor that has been closed meanwhile. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Signals a whole process group; one that is gone needs none. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(-group, signal);
}

/** Signals one process, if it is surely still the one that was meant; as it was right before, or null. */
export function signalProcess(target: OsProcess, signal: NodeJS.Signals): OsProcess | null {
  const now = whenKnown(() => osProcess(target.pid));
  if (now?.startTime !== target.startTime) return null;
  send(target.pid, signal);
  return now;
}

/** Where there is nobody to signal it has no effect. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: it became somebody else's, as by sudo.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
