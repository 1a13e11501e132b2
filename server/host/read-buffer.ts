// Where every reader's bytes arrive: they are only lent, and nothing else is read before they are handed on.

/** What one read brings at the most; a flood's pipe is made to hold as much. */
export const READ_BYTES = 256 * 1024;

/** One for all children: a thousand quiet ones would else keep a thousand of these. */
export const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
