// Buffers for a flood's messages, reused: a new buffer for each takes 4 to 8 % of the gateway's CPU.

/** The message of a whole chunk, with the names in it. */
const ROOM_BYTES = 48 * 1024;
/** A smaller one would waste its room. */
const LEAST_BYTES = 32 * 1024;
/** Number of frames that one connection has in flight to the kernel; further returned buffers are released. */
const MOST_FREE = 8;

const free: Buffer[] = [];

/** Returns a buffer of this length, with arbitrary contents. */
export function frameBuffer(bytes: number): Buffer {
  if (bytes < LEAST_BYTES || bytes > ROOM_BYTES) return Buffer.allocUnsafe(bytes);
  const room = free.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  return room.subarray(0, bytes);
}

/** Returns a frame that is no longer read; call it once, for a frame that only one connection was sent. */
export function giveBack(frame: Buffer): void {
  const { buffer } = frame;
  if (buffer.byteLength === ROOM_BYTES && free.length < MOST_FREE) free.push(Buffer.from(buffer));
}
