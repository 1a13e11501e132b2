// Output events that follow one another, side by side: as objects of their own, small ones cost ten times what they hold.
import type { Stream } from '../../protocol/process.ts';
import type { OutputEvent } from './log-event.ts';

/** Larger ones stand alone, in the buffer in which they arrived: a flood is not copied once more. */
const SMALL_BYTES = 1024;
/**
 * Segments are freed as a whole, when all of their events are evicted: so many bytes may be kept beyond those retained.
 */
const SEGMENT_BYTES = 16 * 1024;
/** Most events of one segment. */
const SEGMENT_EVENTS = 256;
/** Room for the first of them; twice as much each time that there is too little. */
const FIRST_ROOM_BYTES = 64;

export class OutputSegment {
  readonly firstSeq: number;
  readonly #firstOffset: number;
  /** Bytes of the events, never changed, followed by free room. */
  #room: Buffer;
  /** Ends of the events in it. */
  readonly #ends: number[];
  readonly #streams: Stream[];
  readonly #readAtMs: number[];

  constructor({ seq, offset, stream, bytes, atMs }: OutputEvent) {
    this.firstSeq = seq;
    this.#firstOffset = offset;
    this.#room = bytes;
    this.#ends = [bytes.length];
    this.#streams = [stream];
    this.#readAtMs = [atMs];
  }

  /** The seq of the event after its last one. */
  get nextSeq(): number {
    return this.firstSeq + this.#ends.length;
  }

  /** Takes the event that comes next; false where it does not belong here. */
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

  /** One of its events, without a copy of its bytes. */
  at(seq: number): OutputEvent {
    const index = seq - this.firstSeq;
    const start = this.#startOf(index);
    return {
      kind: 'output',
      seq,
      offset: this.offsetOf(seq),
      stream: this.#streams[index] as Stream,
      bytes: this.#room.subarray(start, this.#ends[index]),
      atMs: this.#readAtMs[index] as number,
    };
  }

  /** Decoded bytes before one of its events. */
  offsetOf(seq: number): number {
    return this.#firstOffset + this.#startOf(seq - this.firstSeq);
  }

  /** All bytes from event `seq` on. */
  from(seq: number): Buffer {
    return this.#room.subarray(this.#startOf(seq - this.firstSeq), this.#length);
  }

  /** Releases unused room; call it when nothing is added for now. */
  trim(): void {
    if (this.#room.length > this.#length) this.#room = Buffer.from(this.from(this.firstSeq));
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
    this.#room = room;
  }
}
