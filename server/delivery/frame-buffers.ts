// Reused buffers for the messages of a flood; allocating each one would take 4 to 8 % of the gateway's CPU.

/** Size of a buffer: enough for a full chunk of 32 KiB in base64 and about 4 KiB of other text. */
const ROOM_BYTES = 48 * 1024;
/** Minimum size of a message for these buffers; a smaller one would waste memory. */
const LEAST_BYTES = 32 * 1024;
/**
 * Maximum number of free buffers, enough for what one connection has in flight to the kernel; further ones are
 * released.
 */
const MOST_FREE = 8;

const free: Buffer[] = [];

/** Returns a buffer of this length, with arbitrary contents. */
export function frameBuffer(bytes: number): Buffer {
  if (bytes < LEAST_BYTES || bytes > ROOM_BYTES) return Buffer.allocUnsafe(bytes);
  const room = free.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  return room.subarray(0, bytes);
}

/**
 * Makes the buffer of a frame available again. Call it once, when the frame is no longer read, and only for a
 * frame that was sent on one connection.
 */
export function giveBack(frame: Buffer): void {
  const { buffer } = frame;
  if (buffer.byteLength === ROOM_BYTES && free.length < MOST_FREE) free.push(Buffer.from(buffer));
}
