// Determines the size of a peer's window: the bytes that the peer reads within the delay allowed for new output.

export interface WindowSizeLimits {
  readonly windowLeastBytes: number;
  readonly windowMostBytes: number;
  /** Delay that the bytes in flight may add to the round-trip time. */
  readonly windowDelayMs: number;
}

/** Share of the round-trip time that may also be added, since on a long path it varies by that much. */
const CHANCE = 1 / 4;
/** Minimum of a measured time, which avoids a division by 0. */
const LEAST_MS = 0.01;
/**
 * A window that was not used up may grow to the bytes that its peer reads in this time, since a small window needs
 * more pings.
 */
const UNUSED_MS = 20;
/** Number of samples after which a longer round-trip time is accepted. */
const WAY_SAMPLES = 3;

/** One reply: the bytes in flight when its ping was sent, and the time until they were read. */
export interface Sample {
  readonly bytes: number;
  readonly ms: number;
}

/** Bytes read from the end of one round to the end of the next, and the time between the two. */
export interface Round extends Sample {
  readonly wasUsedUp: boolean;
}

/**
 * A window that doubles with each round in which it was used up, until bytes queue for half the allowed time. From
 * then on, it approaches the number of bytes that the peer reads in the allowed time.
 */
export class WindowSize {
  readonly #limits: WindowSizeLimits;
  #bytes: number;
  /** Round-trip time without a queue. */
  #wayMs = Number.POSITIVE_INFINITY;
  /** Times of replies to pings with almost nothing in flight before them, while the round-trip time is measured. */
  #alone: number[] = [];
  /** Shortest sample while the round-trip time is measured. */
  #shortestWayMs = Number.POSITIVE_INFINITY;
  /** Shortest time of a reply in this round. */
  #shortestMs = Number.POSITIVE_INFINITY;
  /** Highest rate at which the peer has read in this round. */
  #bytesPerMs = 0;
  /** True until bytes have queued for half the allowed time. */
  #isStarting = true;

  constructor(limits: WindowSizeLimits) {
    this.#limits = limits;
    this.#bytes = limits.windowLeastBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Number of bytes after which a ping is worth its cost: those read in half the delay. On a long path, that
   * is a small part of the window; larger parts would cause bursts with pauses in between.
   */
  get pingBytes(): number {
    const { windowDelayMs } = this.#limits;
    const part = windowDelayMs / 2 / (this.#wayMs + this.#delayMs);
    return this.#bytes * (Number.isFinite(this.#wayMs) ? part : 1 / 2);
  }

  /** Adds a reply; returns true when it arrived soon enough for the known round-trip time to be still correct. */
  measure({ bytes, ms: measuredMs }: Sample): boolean {
    const ms = Math.max(measuredMs, LEAST_MS);
    this.#wayMs = Math.min(this.#wayMs, ms);
    this.#shortestMs = Math.min(this.#shortestMs, ms);
    this.#bytesPerMs = Math.max(this.#bytesPerMs, bytes / ms);
    return ms <= this.#wayMs + 1.5 * this.#delayMs;
  }

  /**
   * Adds a reply to a ping with almost nothing in flight before it; its time is the current round-trip time, possibly
   * longer than before. Returns true when that is certain, since a single late reply may come from a busy peer.
   */
  measureWay(ms: number): boolean {
    this.#alone.push(Math.max(ms, LEAST_MS));
    this.measureCrowdedWay(ms);
    const shortestMs = Math.min(...this.#alone);
    if (shortestMs > this.#wayMs * (1 + CHANCE / 2) && this.#alone.length < WAY_SAMPLES) return false;
    this.#wayMs = shortestMs;
    return true;
  }

  /** Adds a reply to a ping that was sent while the flood was paused, but before the peer had read all of it. */
  measureCrowdedWay(ms: number): void {
    this.#shortestWayMs = Math.min(this.#shortestWayMs, Math.max(ms, LEAST_MS));
  }

  /**
   * Accepts the shortest sample as the round-trip time when the time limit is reached, though it may include
   * a short queue. Returns false without samples.
   */
  takeShortestWay(): boolean {
    if (this.#shortestWayMs === Number.POSITIVE_INFINITY) return false;
    this.#wayMs = this.#shortestWayMs;
    return true;
  }

  /** Drops the samples of the round-trip time; call it when the time is known. */
  endMeasuringWay(): void {
    this.#alone = [];
    this.#shortestWayMs = Number.POSITIVE_INFINITY;
  }

  /** Computes the next size; call it when the peer has read the bytes that were in flight when the round began. */
  endRound({ wasUsedUp, bytes, ms }: Round): void {
    const { windowLeastBytes, windowMostBytes } = this.#limits;
    // One or two messages may always queue, however long they take.
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

  /** Delay that may be added to the round-trip time. */
  get #delayMs(): number {
    return this.#limits.windowDelayMs + this.#wayMs * CHANCE;
  }

  #grow(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, Math.min(bytes, this.#bytes * 2));
  }
}
