// The buffer that all readers share; its content is only valid until the next read.
import { readSync } from 'node:fs';
import { hasUnread } from './libc.ts';

/** Maximum size of one read; the pipe of a flood is enlarged to this size. */
export const READ_BYTES = 256 * 1024;

/** One buffer for all children, since a thousand idle ones would otherwise keep a thousand buffers. */
export const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Reads what the kernel still holds of an exited child's output, at most READ_BYTES, so that it precedes the exit:
 * libuv may report the exit first. `goesOn` is called before each read.
 */
export function readUnread(fd: number, goesOn: () => boolean, onBytes: (bytes: Buffer) => void): void {
  for (let rest = READ_BYTES; rest > 0 && goesOn() && hasUnread(fd);) {
    let length: number;
    try {
      length = readSync(fd, readBuffer, 0, rest, null);
    } catch {
      return; // EIO: no process holds the terminal any more, which its reader finds too.
    }
    if (length === 0) return;
    rest -= length;
    onBytes(readBuffer.subarray(0, length));
  }
}
