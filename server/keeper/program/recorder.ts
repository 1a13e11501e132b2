// Appends the records of one process to its log, and retries when the disk write fails.
import { withRemedy } from '../../host/starved.ts';
import type { RecordType, SegmentRecord } from '../../record/segment-format.ts';
import { decodeSize } from '../../record/segment-payloads.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import type { ProcessLog } from './process-log.ts';

/** Interval between retries of a failed write. */
const APPEND_AGAIN_MS = 1000;

/** Duration above which a disk write is reported as slow. */
const SLOW_MS = 100;

/** A record that could not be written yet, and so has no offset. */
export type Unlogged = Omit<SegmentRecord, 'offset'>;

export interface RecorderEvents {
  /** Called with the reason why output cannot be written, and with null when it can be written again. */
  readonly unwritten: (reason: string | null) => void;
  /** Called with the duration of a slow write. */
  readonly slow: (ms: number) => void;
}

export class Recorder {
  readonly #log: ProcessLog;
  readonly #feed: GatewayFeed;
  readonly #events: RecorderEvents;
  #unlogged: Unlogged[] = [];
  #again: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(log: ProcessLog, feed: GatewayFeed, events: RecorderEvents) {
    this.#log = log;
    this.#feed = feed;
    this.#events = events;
  }

  /** Records that could not be written yet; the process is paused while there are any. */
  get unlogged(): readonly Unlogged[] {
    return this.#unlogged;
  }

  /** Appends a record, or stores a copy for a retry when the log cannot be written. */
  record(type: RecordType, payload: Buffer): void {
    if (this.#isStopped) return;
    const record = { type, atMs: Date.now(), payload };
    const reason = this.#unlogged.length > 0 ? null : this.#append(record);
    if (this.#unlogged.length === 0 && reason === null) return;
    this.#unlogged.push({ ...record, payload: Buffer.from(payload) });
    if (reason !== null) this.#failed(reason);
  }

  /** Takes over the records that the previous program could not write. */
  takeOver(unlogged: readonly Unlogged[]): void {
    this.#unlogged = [...unlogged];
    if (unlogged.length > 0) this.#appendAgain();
  }

  /**
   * Stops retries and ignores later records: the log is removed, and its descriptor may become that of another file.
   */
  stop(): void {
    this.#isStopped = true;
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
  }

  /** Appends a record to the log, then passes it to the feed. Returns the reason why the write failed, or null. */
  #append({ type, atMs, payload }: Unlogged): string | null {
    const { place, endOffset: offset } = this.#log;
    const beganAtMs = performance.now();
    try {
      this.#log.append(type, atMs, payload);
    } catch (error) {
      return `Output cannot be written to the disk: ${withRemedy(error as Error)}. Processes that print are paused until it can be.`;
    }
    const tookMs = performance.now() - beganAtMs;
    if (tookMs > SLOW_MS) this.#events.slow(tookMs);
    if (type === 'resize') {
      const size = decodeSize(payload);
      if (size) this.#log.resized(size);
    }
    this.#feed.appended({ type, atMs, offset, payload }, place);
    return null;
  }

  #failed(reason: string): void {
    this.#again = setTimeout(() => this.#appendAgain(), APPEND_AGAIN_MS);
    this.#events.unwritten(reason);
  }

  #appendAgain(): void {
    this.#again = null;
    for (let first = this.#unlogged[0]; first; first = this.#unlogged[0]) {
      const reason = this.#append(first);
      if (reason !== null) return this.#failed(reason);
      this.#unlogged.shift();
    }
    this.#events.unwritten(null);
  }
}
