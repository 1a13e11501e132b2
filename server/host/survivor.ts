// The leader of a child's OS session that lives on although the program that held it is gone.
import { closeSync } from 'node:fs';
import type { ChildExit } from './child.ts';
import { isAlive, osProcess, whenKnown, type OsProcess } from './os-process.ts';
import { exitByDescriptor, processDescriptor } from './process-descriptor.ts';

/** Interval of looks whether it is still there. */
const LOOK_MS = 500;

/** Looks for its exit after its end. */
const MOST_LOOKS = 6;

/** Time between the earliest possible start and the start itself, in the unit of `OsProcess.startTime`; 60 s. */
const START_LATE = 6000;

/** Identity of a child that was started by a program that is gone. */
export interface Wanted {
  readonly pid: number;
  /** Earliest possible start, in the unit of `OsProcess.startTime`. */
  readonly startedAt: number;
}

/** Returns it when it runs; null when it has ended, or the pid is another's by now. */
export function survivorOf({ pid, startedAt }: Wanted): OsProcess | null {
  const found = pid > 0 && Number.isFinite(startedAt) ? whenKnown(() => osProcess(pid)) : null;
  if (!found || found.session !== pid) return null;
  return found.startTime >= startedAt && found.startTime <= startedAt + START_LATE ? found : null;
}

/**
 * Waits for the end of one, which nothing reports, and calls `ended` once: with its exit where the kernel tells that of
 * another's child.
 */
export function watchSurvivor(survivor: OsProcess, ended: (exit: ChildExit | null) => void): void {
  const descriptor = processDescriptor(survivor.pid);
  let looks = 0;
  const look = (): void => {
    if (isAlive(survivor)) return;
    const exit = descriptor === null ? null : exitByDescriptor(descriptor);
    looks += 1;
    // The kernel has its exit from when its new parent has waited for it.
    if (descriptor !== null && !exit && looks < MOST_LOOKS) return;
    clearInterval(timer);
    if (descriptor !== null) closeSync(descriptor);
    ended(exit);
  };
  const timer = setInterval(look, LOOK_MS).unref();
}
