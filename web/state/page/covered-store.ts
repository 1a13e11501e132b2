// Of which file, saved last, secrets were covered: for whoever may and wants to save it with them.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';

/** The form of a saved file: the bytes as they are, text, a page of HTML, or a recording to be played. */
export type DownloadKind = 'raw' | 'text' | 'html' | 'cast';

export interface CoveredFile {
  readonly info: ProcessInfo;
  readonly kind: DownloadKind;
}

export const coveredStore = createStore<{ readonly file: CoveredFile | null }>(() => ({ file: null }));

export const tellCovered = (file: CoveredFile | null): void => coveredStore.setState({ file });
