// Words for output that a reader does not receive.
import { bytesText, countedText } from './amounts.ts';

/** Returns `1.2 MB skipped`, for example, for output that was not sent to this reader; a recording may still have it. */
export const skippedText = (bytes: number): string => `${bytesText(bytes)} skipped`;

/**
 * Returns `1.2 MB missing`, for example, for output that the gateway does not have. No reader gets the reason: it may
 * have been evicted, removed by a limit, never recorded, or damaged.
 */
export const missingText = (bytes: number): string => `${bytesText(bytes)} missing`;

/** Returns the note that the command-line client prints where output is missing; null: the number of bytes is unknown. */
export const missingHereText = (bytes: number | null): string =>
  bytes === null
    ? 'output is missing here'
    : `${countedText(bytes, 'byte of output is', 'bytes of output are')} missing here`;
