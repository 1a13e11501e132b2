// Measures whether the event loop has idle time; without it, any further work delays other work.
import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/**
 * Busy share (0 to 1) above which there is no idle time. A flood that is read at full speed leaves the loop
 * idle for an eighth of the time, so more work would slow it down.
 */
const BUSY = 0.75;
/** Minimum time between measurements. */
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
