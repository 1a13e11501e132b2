// Finds a child that is still running although the program that held it has ended, and watches for the child's end.
import { closeSync } from 'node:fs';
import type { ChildExit } from './child.ts';
import { isAlive, osProcess, startTimeUnits, whenKnown, type OsProcess } from './os-process.ts';
import { exitByDescriptor, processDescriptor } from './process-descriptor.ts';

/** Interval between checks of whether the process is still running. */
const LOOK_MS = 500;

/** Maximum number of checks for the exit after the process has ended. */
const MOST_LOOKS = 6;

/** Maximum time between the earliest possible start and the actual start. */
const START_LATE_MS = 60_000;

/** Identity of a child whose starter has ended. */
export interface Wanted {
  readonly pid: number;
  /** Earliest possible start, in the unit of `OsProcess.startTime`. */
  readonly startedAt: number;
}

/**
 * Returns the process if it is running; null when it has ended, its PID was reused, or the system's resources are
 * exhausted.
 */
export function survivorOf({ pid, startedAt }: Wanted): OsProcess | null {
  const found = pid > 0 && Number.isFinite(startedAt) ? whenKnown(() => osProcess(pid)) : null;
  if (!found || found.session !== pid) return null;
  const lateness = found.startTime - startedAt;
  return lateness >= 0 && lateness <= startTimeUnits(START_LATE_MS) ? found : null;
}

/**
 * Polls for the end of a process that is not a child, and calls `ended` once, with its exit if the kernel reports it.
 */
export function watchSurvivor(survivor: OsProcess, ended: (exit: ChildExit | null) => void): void {
  const descriptor = processDescriptor(survivor.pid);
  let looks = 0;
  const look = (): void => {
    if (isAlive(survivor)) return;
    const exit = descriptor === null ? null : exitByDescriptor(descriptor);
    looks += 1;
    // The kernel has the exit only after the new parent has reaped the process.
    if (descriptor !== null && !exit && looks < MOST_LOOKS) return;
    clearInterval(timer);
    if (descriptor !== null) closeSync(descriptor);
    ended(exit);
  };
  const timer = setInterval(look, LOOK_MS).unref();
}
