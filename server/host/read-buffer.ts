// The buffer into which all readers read: it is only valid until the next read.

/** Maximum size of one read; the pipe of a flood is enlarged to hold as much. */
export const READ_BYTES = 256 * 1024;

/** One buffer for all children: a thousand idle ones would otherwise keep a thousand buffers. */
export const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
