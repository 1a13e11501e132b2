// Reused buffers for the messages of a flood: allocating each one would take 4 to 8 % of the gateway's CPU.

/** Size of the message of a whole chunk, including names. */
const ROOM_BYTES = 48 * 1024;
/** Minimum size: smaller messages would waste a buffer. */
const LEAST_BYTES = 32 * 1024;
/** Maximum free buffers, as many as one connection has in flight to the kernel; further ones are released. */
const MOST_FREE = 8;

const free: Buffer[] = [];

/** Returns a buffer of this length, with arbitrary contents. */
export function frameBuffer(bytes: number): Buffer {
  if (bytes < LEAST_BYTES || bytes > ROOM_BYTES) return Buffer.allocUnsafe(bytes);
  const room = free.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  return room.subarray(0, bytes);
}

/** Takes back a frame that is no longer read; call it once, for a frame that only one connection was sent. */
export function giveBack(frame: Buffer): void {
  const { buffer } = frame;
  if (buffer.byteLength === ROOM_BYTES && free.length < MOST_FREE) free.push(Buffer.from(buffer));
}
