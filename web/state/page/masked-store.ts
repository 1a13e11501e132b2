// The last saved file in which secrets were masked, so that an authorized person can save it again unmasked.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';

/** Format of a saved file: raw bytes, text, HTML, or an asciicast. */
export type DownloadKind = 'raw' | 'text' | 'html' | 'cast';

/** Part of a recording, both ends included, in ms since the epoch. */
export interface DownloadRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface MaskedFile {
  readonly info: ProcessInfo;
  readonly kind: DownloadKind;
  /** Range of the recording that was saved; null means all of it. */
  readonly range: DownloadRange | null;
}

export const maskedStore = createStore<{ readonly file: MaskedFile | null }>(() => ({ file: null }));

export const reportMasked = (file: MaskedFile | null): void => maskedStore.setState({ file });
