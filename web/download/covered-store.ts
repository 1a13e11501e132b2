// Of which file, saved last, secrets were covered: for whoever may and wants to save it with them.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import type { DownloadKind } from './download.ts';

export interface CoveredFile {
  readonly info: ProcessInfo;
  readonly kind: DownloadKind;
}

export const coveredStore = createStore<{ readonly file: CoveredFile | null }>(() => ({ file: null }));

export const tellCovered = (file: CoveredFile | null): void => coveredStore.setState({ file });
