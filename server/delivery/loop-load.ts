// How busy the event loop is: whether there is time left, or what one takes another has not.
import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/**
 * Of the time (0 to 1) in which something is done: above it there is none left. Where a flood is read as fast as it can be, its
 * program and its reader keep the loop waiting for an eighth of it, and what is done then is at their cost.
 */
const BUSY = 0.75;
/** Over less it is chance. */
const LOOK_MS = 30;

export class LoopLoad {
  #lookedAtMs = performance.now();
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #isBusy = false;

  /** As it was in the last while. */
  get isBusy(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtMs < LOOK_MS) return this.#isBusy;
    const now = performance.eventLoopUtilization();
    this.#isBusy = performance.eventLoopUtilization(now, this.#before).utilization > BUSY;
    this.#before = now;
    this.#lookedAtMs = nowMs;
    return this.#isBusy;
  }
}
