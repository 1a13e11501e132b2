// Stores adjacent output events in one buffer, since small events as separate objects cost ten times their bytes.
import type { Stream } from '../../protocol/process.ts';
import type { OutputEvent } from './log-event.ts';

/**
 * Maximum size of an event that shares a segment. A larger event has a separate buffer, so that a flood is
 * not copied again.
 */
const SMALL_BYTES = 1024;
/**
 * Maximum size of a segment with several events. It is freed only when all of them are evicted, so up to this many
 * evicted bytes stay in memory.
 */
const SEGMENT_BYTES = 16 * 1024;
const SEGMENT_EVENTS = 256;
/** Minimum size of a shared buffer, which doubles when it is full. */
const FIRST_ROOM_BYTES = 64;

export class OutputSegment {
  readonly firstSeq: number;
  readonly #firstOffset: number;
  /** Bytes of the events, which never change, followed by free space. */
  #room: Buffer;
  /** End of each event in `#room`. */
  readonly #ends: number[];
  readonly #streams: Stream[];
  readonly #readAtMs: number[];
  /** The event returned last, so that readers at one position get one object and share the message built from it. */
  #last: OutputEvent | null = null;

  constructor({ seq, offset, stream, bytes, atMs }: OutputEvent) {
    this.firstSeq = seq;
    this.#firstOffset = offset;
    this.#room = bytes;
    this.#ends = [bytes.length];
    this.#streams = [stream];
    this.#readAtMs = [atMs];
  }

  /** Seq of the event after the segment's last one. */
  get nextSeq(): number {
    return this.firstSeq + this.#ends.length;
  }

  /** Appends the event; returns false if it needs a separate segment. */
  add({ seq, stream, bytes, atMs }: OutputEvent): boolean {
    const start = this.#length;
    const end = start + bytes.length;
    if (seq !== this.nextSeq || bytes.length > SMALL_BYTES || this.#isAlone) return false;
    if (end > SEGMENT_BYTES || this.#ends.length >= SEGMENT_EVENTS) return false;
    if (end > this.#room.length) this.#grow(start, end);
    bytes.copy(this.#room, start);
    this.#ends.push(end);
    this.#streams.push(stream);
    this.#readAtMs.push(atMs);
    return true;
  }

  /**
   * Returns the event, without copying its bytes: the same object until another event is requested or the buffer is
   * replaced.
   */
  at(seq: number): OutputEvent {
    if (this.#last?.seq === seq) return this.#last;
    const index = seq - this.firstSeq;
    const start = this.#startOf(index);
    this.#last = {
      kind: 'output',
      seq,
      offset: this.offsetOf(seq),
      stream: this.#streams[index] as Stream,
      bytes: this.#room.subarray(start, this.#ends[index]),
      atMs: this.#readAtMs[index] as number,
    };
    return this.#last;
  }

  /** Returns the number of decoded bytes before event `seq`. */
  offsetOf(seq: number): number {
    return this.#firstOffset + this.#startOf(seq - this.firstSeq);
  }

  /** Returns all bytes from event `seq` on. */
  from(seq: number): Buffer {
    return this.#room.subarray(this.#startOf(seq - this.firstSeq), this.#length);
  }

  /** Frees unused space; call it when no more events are expected. */
  trim(): void {
    if (this.#room.length > this.#length) this.#replace(Buffer.from(this.from(this.firstSeq)));
  }

  get #isAlone(): boolean {
    return this.#startOf(1) > SMALL_BYTES;
  }

  get #length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  #startOf(index: number): number {
    return index > 0 ? (this.#ends[index - 1] as number) : 0;
  }

  #grow(length: number, needed: number): void {
    const room = Buffer.allocUnsafe(
      Math.min(Math.max(needed, 2 * this.#room.length, FIRST_ROOM_BYTES), SEGMENT_BYTES),
    );
    this.#room.copy(room, 0, 0, length);
    this.#replace(room);
  }

  #replace(room: Buffer): void {
    this.#room = room;
    // The cached event would keep the old buffer in memory.
    this.#last = null;
  }
}
