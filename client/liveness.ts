// Finds out that the other end has gone without a word: a browser cannot ping, and a sleeping machine hears nothing.
import type { Runtime } from './runtime.ts';

export interface LivenessLimits {
  readonly tickMs: number;
  /** A tick this late means that the machine slept. */
  readonly sleptMs: number;
  /** Silence after which the other end is asked whether it is there. */
  readonly silentMs: number;
  /** Time that the other end has for an answer. */
  readonly answerMs: number;
  /** The same time right after a sleep, when a dead connection is more likely than a slow one. */
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
  /** Requests any answer from the other end; returns false when there is no connection. */
  ask(): boolean;
  /** Sends a sign of life while nothing is read: the other end cannot learn from answers that this one is alive. */
  rest(): void;
  /** Nothing came although it was asked for. */
  dead(): void;
  /** The machine slept, so whatever was being waited for may be long over. */
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

  /** Call for every message received: the other end is alive. */
  heard(): void {
    this.#heardAtMs = this.#runtime.now();
    this.forget();
  }

  /** Suspends the checks while nothing is read: a missing answer may just be unread. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.forget();
  }

  /** Stops waiting for an answer: it came, or would not be read. */
  forget(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  /** Asks now; without an answer in time the connection is dead. */
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
