// How many bytes should be on their way to a peer: what it reads in the time that may pass before it sees something new.

export interface WindowSizeLimits {
  readonly windowLeastBytes: number;
  readonly windowMostBytes: number;
  /** What the bytes on their way may add to the way itself. */
  readonly windowDelayMs: number;
}

/** Of this part of the way, too: of a long one that much is chance. */
const CHANCE = 1 / 4;
/** Nothing is divided by 0. */
const LEAST_MS = 0.01;
/** It may hold what a quick peer reads in so long even when less is sent: pings, which are a part of it, cost something. */
const UNUSED_MS = 20;
/** Of a way that seems to have become longer. */
const WAY_SAMPLES = 3;

/** One answer: what was on its way when it was asked for, itself the last, and how long that took to be read. */
export interface Sample {
  readonly bytes: number;
  readonly ms: number;
}

/** What was read from the end of a round to the end of the next. */
export interface Round extends Sample {
  readonly wasUsedUp: boolean;
}

/**
 * Grows twofold with each round in which it was used up, until something has to queue for long; from then on it becomes what
 * the peer has read in the time that is allowed.
 */
export class WindowSize {
  readonly #limits: WindowSizeLimits;
  #bytes: number;
  /** The way without a queue. */
  #wayMs = Number.POSITIVE_INFINITY;
  /** Samples of it that are not certain, while it is measured, … */
  #alone: number[] = [];
  /** … and the shortest of all that came meanwhile. */
  #shortestWayMs = Number.POSITIVE_INFINITY;
  /** Of the samples of this round the shortest, … */
  #shortestMs = Number.POSITIVE_INFINITY;
  /** … and the best that the peer has read. */
  #bytesPerMs = 0;
  /** Nothing has queued for long yet. */
  #isStarting = true;

  constructor(limits: WindowSizeLimits) {
    this.#limits = limits;
    this.#bytes = limits.windowLeastBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * After so many a ping is worth its cost: what is read in half the delay. On a long way that is a small part of the window;
   * with larger ones it would be sent in bursts, with pauses between.
   */
  get pingBytes(): number {
    const { windowDelayMs } = this.#limits;
    const part = windowDelayMs / 2 / (this.#wayMs + this.#delayMs);
    return this.#bytes * (Number.isFinite(this.#wayMs) ? part : 1 / 2);
  }

  /** Takes account of an answer; whether it came in the time that is allowed, so that there is no doubt about the way. */
  measure({ bytes, ms: measuredMs }: Sample): boolean {
    const ms = Math.max(measuredMs, LEAST_MS);
    this.#wayMs = Math.min(this.#wayMs, ms);
    this.#shortestMs = Math.min(this.#shortestMs, ms);
    this.#bytesPerMs = Math.max(this.#bytesPerMs, bytes / ms);
    return ms <= this.#wayMs + 1.5 * this.#delayMs;
  }

  /**
   * Nothing was before this answer: that is the way now, and may be longer than it was. Whether it is certain: what is late
   * for once may have met a busy peer.
   */
  measureWay(ms: number): boolean {
    this.#alone.push(Math.max(ms, LEAST_MS));
    this.measureCrowdedWay(ms);
    const shortestMs = Math.min(...this.#alone);
    if (shortestMs > this.#wayMs * (1 + CHANCE / 2) && this.#alone.length < WAY_SAMPLES) return false;
    this.#wayMs = shortestMs;
    return true;
  }

  /** Of an answer before which there was something, but less and less of a flood. */
  measureCrowdedWay(ms: number): void {
    this.#shortestWayMs = Math.min(this.#shortestWayMs, Math.max(ms, LEAST_MS));
  }

  /** There is no time for more: the shortest is taken for the way, though it may hold a little more. False without any. */
  takeShortestWay(): boolean {
    if (this.#shortestWayMs === Number.POSITIVE_INFINITY) return false;
    this.#wayMs = this.#shortestWayMs;
    return true;
  }

  /** The way is known. */
  endMeasuringWay(): void {
    this.#alone = [];
    this.#shortestWayMs = Number.POSITIVE_INFINITY;
  }

  /** The peer has read what was on its way when the round began. */
  endRound({ wasUsedUp, bytes, ms }: Round): void {
    const { windowLeastBytes, windowMostBytes } = this.#limits;
    // A message or two are always allowed to queue, however long they take.
    const queueBytes = Math.max(this.#bytesPerMs * this.#delayMs, windowLeastBytes);
    const fittingBytes = this.#bytesPerMs * this.#wayMs + queueBytes;
    const allowedMs = queueBytes / this.#bytesPerMs;
    const queuedMs = this.#shortestMs - this.#wayMs;
    if (queuedMs > allowedMs / 2) this.#isStarting = false;
    if (queuedMs > allowedMs) this.#bytes = Math.max(fittingBytes, this.#bytes / 2);
    else if (wasUsedUp) this.#grow(this.#isStarting ? 2 * this.#bytes : fittingBytes);
    else if (queuedMs < allowedMs / 2) this.#grow((bytes / ms) * UNUSED_MS);
    this.#bytes = Math.min(Math.max(this.#bytes, windowLeastBytes), windowMostBytes);
    this.#shortestMs = Number.POSITIVE_INFINITY;
    this.#bytesPerMs = 0;
  }

  /** What may be added to the way. */
  get #delayMs(): number {
    return this.#limits.windowDelayMs + this.#wayMs * CHANCE;
  }

  #grow(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, Math.min(bytes, this.#bytes * 2));
  }
}
