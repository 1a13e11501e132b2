// Frames between a gateway and its keeper: u32 payload length, u8 type, u32 process, payload; little endian.

/** Types of frames from the gateway. Their meaning never changes; unknown types are skipped. */
export const ToKeeper = {
  hello: 1,
  spawn: 2,
  input: 3,
  endInput: 4,
  resize: 5,
  pause: 6,
  resume: 7,
  follow: 8,
  forget: 9,
  signal: 10,
  abandon: 11,
  owned: 12,
  stop: 13,
  ask: 14,
  terminating: 15,
} as const;

/** Types of frames from the keeper. */
export const ToGateway = {
  welcome: 1,
  spawned: 2,
  refused: 3,
  written: 4,
  output: 5,
  resized: 6,
  exit: 7,
  end: 8,
  streams: 9,
  displaced: 10,
  trouble: 11,
  status: 12,
} as const;

export const HEADER_BYTES = 9;

/** Maximum size of a payload, large enough for the largest write and for a command line with its environment. */
const MOST_PAYLOAD_BYTES = 64 * 1024 * 1024;

/** Returns a frame's header with room for its payload; throws a RangeError when the payload is too long. */
export function encodeFrame(type: number, process: number, payloadBytes: number): Buffer {
  if (payloadBytes > MOST_PAYLOAD_BYTES) throw new RangeError('the payload is too long for a frame');
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payloadBytes);
  bytes.writeUInt32LE(payloadBytes, 0);
  bytes.writeUInt8(type, 4);
  bytes.writeUInt32LE(process, 5);
  return bytes;
}

export type FrameListener = (type: number, process: number, payload: Buffer) => void;

/** Splits a byte stream into frames. */
export class FrameReader {
  readonly #onFrame: FrameListener;
  /** Pieces of an incomplete frame. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the incomplete frame that must arrive before it can be read further. */
  #needed = HEADER_BYTES;

  /** Payloads passed to `onFrame` may be views of the pieces, which therefore must not change. */
  constructor(onFrame: FrameListener) {
    this.#onFrame = onFrame;
  }

  /** Reads the next piece; throws a RangeError for a frame that is too long. */
  take(piece: Buffer): void {
    let at = 0;
    // A frame that spans pieces is copied; others are not.
    while (this.#bytes > 0 && at < piece.length) {
      const part = piece.subarray(at, at + this.#needed - this.#bytes);
      at += part.length;
      this.#keep(part);
      if (this.#bytes < this.#needed) return;
      const begun = Buffer.concat(this.#pieces, this.#bytes);
      this.#pieces = [];
      this.#bytes = 0;
      if (this.#read(begun, 0) === 0) this.#keep(begun);
    }
    for (let read = 1; read > 0 && at < piece.length; at += read) read = this.#read(piece, at);
    if (at < piece.length) this.#keep(piece.subarray(at));
  }

  #keep(part: Buffer): void {
    this.#pieces.push(part);
    this.#bytes += part.length;
  }

  /** Emits the frame at `at` and returns its length; 0 when it is incomplete. */
  #read(bytes: Buffer, at: number): number {
    const there = bytes.length - at;
    this.#needed = HEADER_BYTES;
    if (there < HEADER_BYTES) return 0;
    const length = bytes.readUInt32LE(at);
    if (length > MOST_PAYLOAD_BYTES) throw new RangeError(`the frame is too long: ${length} bytes`);
    const end = HEADER_BYTES + length;
    if (there < end) {
      this.#needed = end;
      return 0;
    }
    const payload = bytes.subarray(at + HEADER_BYTES, at + end);
    this.#onFrame(bytes.readUInt8(at + 4), bytes.readUInt32LE(at + 5), payload);
    return end;
  }
}
