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

/** Waits for the end of one, which nothing reports. */
export class SurvivorWatch {
  readonly #survivor: OsProcess;
  readonly #ended: (exit: ChildExit | null) => void;
  readonly #descriptor: number | null;
  readonly #timer: NodeJS.Timeout;
  /** Looks since it is gone. */
  #looksSince = 0;

  /** `ended` is called once, with its exit where the kernel tells that of a child of others. */
  constructor(survivor: OsProcess, ended: (exit: ChildExit | null) => void) {
    this.#survivor = survivor;
    this.#ended = ended;
    this.#descriptor = processDescriptor(survivor.pid);
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  #look(): void {
    if (isAlive(this.#survivor)) return;
    const exit = this.#descriptor === null ? null : exitByDescriptor(this.#descriptor);
    this.#looksSince += 1;
    // The kernel has its exit from when its new parent has waited for it.
    if (this.#descriptor !== null && !exit && this.#looksSince < MOST_LOOKS) return;
    clearInterval(this.#timer);
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#ended(exit);
  }
}
