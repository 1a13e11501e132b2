// Words for output that a reader does not receive.
import { bytesText, countedText } from './amounts.ts';

/** Returns `1.2 MB skipped`, for example, for output that was not sent to this reader. */
export const skippedText = (bytes: number): string => `${bytesText(bytes)} skipped`;

/** Returns `1.2 MB missing`, for example, for output that is no longer retained or was not recorded. */
export const missingText = (bytes: number): string => `${bytesText(bytes)} missing`;

/** Returns the note that the command-line client prints where output was evicted, with the exact count. */
export const missingHereText = (bytes: number): string =>
  `${countedText(bytes, 'byte of output was', 'bytes of output were')} evicted, leaving a gap here`;
