// The buffer that all readers share; its content is only valid until the next read.

/** Maximum size of one read; the pipe of a flood is enlarged to this size. */
export const READ_BYTES = 256 * 1024;

/** One buffer for all children, since a thousand idle children would otherwise occupy a thousand buffers. */
export const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
