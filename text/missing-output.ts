// Words for output that a reader does not receive.
import { bytesText, countedText } from './amounts.ts';

/** `1.2 MB skipped`: not sent to this reader. */
export const skippedText = (bytes: number): string => `${bytesText(bytes)} skipped`;

/** `1.2 MB evicted`: dropped from what is retained or recorded. */
export const evictedText = (bytes: number): string => `${bytesText(bytes)} evicted`;

/** Note that the command-line client prints where output was evicted, with the exact count. */
export const missingHereText = (bytes: number): string =>
  `${countedText(bytes, 'byte of output was', 'bytes of output were')} evicted, leaving a gap here`;
