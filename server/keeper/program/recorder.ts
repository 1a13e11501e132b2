// Records of one process, appended to its log: at once, or again and again while the disk takes none.
import type { RecordType, SegmentRecord } from '../../record/segment-format.ts';
import { decodeSize } from '../../record/segment-payloads.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import type { ProcessLog } from './process-log.ts';

/** Interval of tries to append to a log that the disk has not taken. */
const APPEND_AGAIN_MS = 1000;

/** Time that a write to the disk may take before it is reported. */
const SLOW_MS = 100;

/** A record that the disk has not taken, and that has no place yet. */
export type Unlogged = Omit<SegmentRecord, 'offset'>;

export interface RecorderEvents {
  /** The reason why the disk does not take its output; null when it does again. */
  readonly unwritten: (reason: string | null) => void;
  /** A write to the disk has taken so many ms. */
  readonly slow: (ms: number) => void;
}

export class Recorder {
  readonly #log: ProcessLog;
  readonly #feed: GatewayFeed;
  readonly #events: RecorderEvents;
  #unlogged: Unlogged[] = [];
  #again: NodeJS.Timeout | null = null;

  constructor(log: ProcessLog, feed: GatewayFeed, events: RecorderEvents) {
    this.#log = log;
    this.#feed = feed;
    this.#events = events;
  }

  /** Records that the disk has not taken: while there are any, the process is held back. */
  get unlogged(): readonly Unlogged[] {
    return this.#unlogged;
  }

  /** Appends it, or keeps a copy until the disk takes it. */
  record(type: RecordType, payload: Buffer): void {
    const record = { type, atMs: Date.now(), payload };
    const reason = this.#unlogged.length > 0 ? null : this.#append(record);
    if (this.#unlogged.length === 0 && reason === null) return;
    this.#unlogged.push({ ...record, payload: Buffer.from(payload) });
    if (reason !== null) this.#failed(reason);
  }

  /** Goes on with records that an earlier program could not append. */
  takeOver(unlogged: readonly Unlogged[]): void {
    this.#unlogged = [...unlogged];
    if (unlogged.length > 0) this.#appendAgain();
  }

  stop(): void {
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
  }

  /** Appends to the log first, and then sends it to the gateway. Returns the reason why the disk has not taken it. */
  #append({ type, atMs, payload }: Unlogged): string | null {
    const { place, endOffset: offset } = this.#log;
    const beganAtMs = performance.now();
    try {
      this.#log.append(type, atMs, payload);
    } catch (error) {
      return `The output of processes cannot be written to the disk, so they are held back: ${(error as Error).message}`;
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
