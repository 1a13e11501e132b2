// Detects a dead connection: browsers can't send pings, and a sleeping machine receives nothing.
import type { Runtime } from './runtime.ts';

export interface LivenessLimits {
  readonly tickMs: number;
  /** Time since the last tick above which the machine must have been asleep. */
  readonly sleptMs: number;
  /** Silence after which the other end is probed. */
  readonly silentMs: number;
  /** Time limit for the answer to a probe. */
  readonly answerMs: number;
  /** Time limit for that answer right after a sleep, when a dead connection is more likely than a slow one. */
  readonly wokenAnswerMs: number;
}

export const LIVENESS: LivenessLimits = {
  tickMs: 5000,
  sleptMs: 20_000,
  silentMs: 10_000,
  answerMs: 10_000,
  wokenAnswerMs: 2000,
};

export interface LivenessEvents {
  /** Sends a probe, to which any reply is a sign of life; returns false when there is no connection. */
  ask(): boolean;
  /** Sends a sign of life while reading is paused, since pings from the other end are then unread and unanswered. */
  rest(): void;
  /** Called when the probe was not answered in time. */
  dead(): void;
  /** Called after a sleep, so that a delayed retry can begin at once. */
  woke(): void;
}

export class Liveness {
  readonly #runtime: Runtime;
  readonly #limits: LivenessLimits;
  readonly #events: LivenessEvents;
  #stopTick: (() => void) | null = null;
  #stopWaiting: (() => void) | null = null;
  #tickedAtMs = 0;
  #heardAtMs = 0;
  #isResting = false;

  constructor(runtime: Runtime, limits: LivenessLimits, events: LivenessEvents) {
    this.#runtime = runtime;
    this.#limits = limits;
    this.#events = events;
  }

  start(): void {
    this.#tickedAtMs = this.#runtime.now();
    this.#stopTick ??= this.#runtime.after(this.#limits.tickMs, () => this.#tick());
  }

  stop(): void {
    this.#stopTick?.();
    this.#stopTick = null;
    this.forget();
  }

  /** Records that a message was received, so the connection is alive. */
  heard(): void {
    this.#heardAtMs = this.#runtime.now();
    this.forget();
  }

  /** Suspends or resumes the checks; while reading is paused, an answer may just be unread. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.forget();
  }

  /** Stops waiting for an answer that arrived or will not be read. */
  forget(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  /** Probes now; the connection counts as dead without a timely answer. */
  check(): void {
    const { answerMs, wokenAnswerMs } = this.#limits;
    this.#check(this.#hasSlept ? wokenAnswerMs : answerMs);
  }

  get #hasSlept(): boolean {
    return this.#runtime.now() - this.#tickedAtMs > this.#limits.sleptMs;
  }

  #check(answerMs: number): void {
    if (this.#isResting || this.#stopWaiting || !this.#events.ask()) return;
    this.#stopWaiting = this.#runtime.after(answerMs, () => {
      this.#stopWaiting = null;
      this.#events.dead();
    });
  }

  #tick(): void {
    const { tickMs, silentMs, answerMs, wokenAnswerMs } = this.#limits;
    const now = this.#runtime.now();
    const hasSlept = this.#hasSlept;
    this.#tickedAtMs = now;
    // Silence is measured anew when the clock is set back.
    this.#heardAtMs = Math.min(this.#heardAtMs, now);
    this.#stopTick = this.#runtime.after(tickMs, () => this.#tick());
    if (this.#isResting) {
      this.#events.rest();
    } else if (hasSlept) {
      this.#events.woke();
      this.#check(wokenAnswerMs);
    } else if (now - this.#heardAtMs >= silentMs) {
      this.#check(answerMs);
    }
  }
}
