// Events sent only to attachments by key, in addition to the process's events.
import type { SizeMark } from './console.ts';

/**
 * Events between the two seqs that the attachment will not receive; `bytes` counts decoded bytes of all
 * streams.
 */
export interface GapEvent {
  readonly key: string;
  readonly processId: string;
  readonly afterSeq: number;
  readonly nextSeq: number;
  readonly bytes: number;
}

export interface ResizedEvent extends SizeMark {
  readonly key: string;
  readonly processId: string;
}
