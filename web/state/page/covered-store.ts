// The last saved file whose secrets were covered, so that a person who may can save it again with them.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';

/** Format of a saved file: raw bytes, text, a page of HTML, or an asciicast. */
export type DownloadKind = 'raw' | 'text' | 'html' | 'cast';

/** A part of a recording, both ends included, in ms since the epoch. */
export interface DownloadRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CoveredFile {
  readonly info: ProcessInfo;
  readonly kind: DownloadKind;
  /** Null: all of it. */
  readonly range: DownloadRange | null;
}

export const coveredStore = createStore<{ readonly file: CoveredFile | null }>(() => ({ file: null }));

export const tellCovered = (file: CoveredFile | null): void => coveredStore.setState({ file });
