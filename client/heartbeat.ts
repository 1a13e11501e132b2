// Detects within seconds that the gateway has stopped answering, long before the connection is closed.
import type { Runtime } from './runtime.ts';

const BEAT_MS = 1000;
/** Silence after which the next beat probes an idle connection, which is therefore probed every other beat. */
const QUIET_MS = 1000;
/** Time without an answer after which silence is reported. */
const UNANSWERED_MS = 1500;

export interface HeartbeatEvents {
  /** Sends a probe, to which any reply is a sign of life; returns false when there is no connection. */
  ask(): boolean;
  /**
   * Reports when data was last received (ms since the epoch), or null when data arrives again or the heartbeat stops.
   */
  silent(sinceMs: number | null): void;
}

export class Heartbeat {
  readonly #runtime: Runtime;
  readonly #events: HeartbeatEvents;
  #stopBeat: (() => void) | null = null;
  #beatAtMs = 0;
  #heardAtMs = 0;
  #askedAtMs: number | null = null;
  #isSilent = false;

  constructor(runtime: Runtime, events: HeartbeatEvents) {
    this.#runtime = runtime;
    this.#events = events;
  }

  start(): void {
    if (this.#stopBeat) return;
    this.#beatAtMs = this.#runtime.now();
    this.heard();
    this.#next();
  }

  stop(): void {
    this.#stopBeat?.();
    this.#stopBeat = null;
    this.heard();
  }

  /** Records that a message was received, which ends a silence. */
  heard(): void {
    this.#heardAtMs = this.#runtime.now();
    this.#askedAtMs = null;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#events.silent(null);
  }

  #next(): void {
    this.#stopBeat = this.#runtime.after(BEAT_MS, () => this.#beat());
  }

  #beat(): void {
    const now = this.#runtime.now();
    // A late beat means that this process was suspended: data that arrived meanwhile has not been read yet.
    const isLate = now - this.#beatAtMs > 2 * BEAT_MS;
    this.#beatAtMs = now;
    // Silence is measured anew when the clock is set back.
    this.#heardAtMs = Math.min(this.#heardAtMs, now);
    if (this.#askedAtMs !== null) this.#askedAtMs = Math.min(this.#askedAtMs, now);
    this.#next();
    if (isLate && this.#askedAtMs !== null) this.#askedAtMs = now;
    else if (this.#askedAtMs === null) {
      if (now - this.#heardAtMs >= QUIET_MS && this.#events.ask()) this.#askedAtMs = now;
    } else if (!this.#isSilent && now - this.#askedAtMs >= UNANSWERED_MS) {
      this.#isSilent = true;
      this.#events.silent(this.#heardAtMs);
    }
  }
}
