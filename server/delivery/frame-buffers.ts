// What a flood's messages are written into, over and over: to have a new buffer for each takes 4 to 8 % of its CPU.

/** The message of a whole chunk, with the names in it. */
const ROOM_BYTES = 48 * 1024;
/** A smaller one would waste its room. */
const LEAST_BYTES = 32 * 1024;
/** What one connection has on its way to the kernel at a time; what is given back beyond that is let go. */
const MOST_FREE = 8;

const free: Buffer[] = [];

/** Of this length, with anything in it. */
export function frameBuffer(bytes: number): Buffer {
  if (bytes < LEAST_BYTES || bytes > ROOM_BYTES) return Buffer.allocUnsafe(bytes);
  const room = free.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  return room.subarray(0, bytes);
}

/** Nobody reads this frame any more; to be said once, of one that only one connection was sent. */
export function giveBack(frame: Buffer): void {
  const { buffer } = frame;
  if (buffer.byteLength === ROOM_BYTES && free.length < MOST_FREE) free.push(Buffer.from(buffer));
}
