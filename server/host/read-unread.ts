// Reads the last output of a child at its exit.
import { readSync } from 'node:fs';
import { hasUnread } from './libc.ts';
import { READ_BYTES, readBuffer } from './read-buffer.ts';

/**
 * Reads what the kernel still holds of an exited child's output, at most READ_BYTES, so that it precedes the
 * exit: a child that is reaped together with another one may have printed more since its output was last
 * polled. `goesOn` is called before each read; it returns false to stop.
 */
export function readUnread(fd: number, goesOn: () => boolean, onBytes: (bytes: Buffer) => void): void {
  for (let rest = READ_BYTES; rest > 0 && goesOn() && hasUnread(fd);) {
    let length: number;
    try {
      length = readSync(fd, readBuffer, 0, rest, null);
    } catch {
      return; // EIO: no process holds the terminal any more, which the terminal's reader detects, too.
    }
    if (length === 0) return;
    rest -= length;
    onBytes(readBuffer.subarray(0, length));
  }
}
