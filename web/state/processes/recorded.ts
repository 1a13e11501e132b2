// Distinguishes processes that the history returned from those in the list.
import type { ProcessInfo } from '../../../protocol/console.ts';

/** True for an entry of the history whose output can be read, even when the process itself was lost with its gateway. */
export const isRecorded = (info: ProcessInfo): boolean =>
  'recordedBytes' in info && typeof info.recordedBytes === 'number' && info.recordedBytes > 0;
