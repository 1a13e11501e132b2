// Load of the event loop: whether there is time left, or work delays other work.
import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/**
 * Busy share of the time (0 to 1) above which there is none left. Where a flood is read as fast as it can be, its
 * program and its reader keep the loop waiting for an eighth of it, and other work then is at their cost.
 */
const BUSY = 0.75;
/** Shortest meaningful measurement. */
const LOOK_MS = 30;

export class LoopLoad {
  #lookedAtMs = performance.now();
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #isBusy = false;

  /** True when the loop was busy in the last measurement. */
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
