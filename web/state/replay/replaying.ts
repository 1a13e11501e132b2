// Panes that show a replay, and the moment requested for each: a new object for each request.
import { createStore } from 'zustand/vanilla';
import { isProcessKey } from '../../../protocol/process-key.ts';

export interface AskedMoment {
  /**
   * Milliseconds since the start of the process; null means the end of the recording while the process is running,
   * otherwise its beginning.
   */
  readonly offsetMs: number | null;
}

export const replayingStore = createStore<{ readonly asked: { readonly [key: string]: AskedMoment } }>(
  () => ({ asked: {} }),
);

export function startReplay(key: string, offsetMs: number | null = null): void {
  replayingStore.setState(({ asked }) => ({ asked: { ...asked, [key]: { offsetMs } } }));
}

export function stopReplay(key: string): void {
  replayingStore.setState(({ asked }) => {
    const { [key]: _, ...others } = asked;
    return { asked: others };
  });
}

/** Returns for example `#KEY:T63500`: 63,500 ms after the start of the process. */
export const momentHref = (key: string, offsetMs: number): string =>
  `#${encodeURIComponent(key)}:T${Math.max(0, Math.round(offsetMs))}`;

/** Link to a moment, in ms since the start of the process. */
export interface MomentLink {
  readonly key: string;
  readonly offsetMs: number;
}

export function parseMomentLink(hash: string): MomentLink | null {
  const [, key, offset] = /^#([^:]+):T(\d{1,13})$/.exec(hash) ?? [];
  if (key === undefined || offset === undefined) return null;
  try {
    const link = { key: decodeURIComponent(key), offsetMs: Number(offset) };
    return isProcessKey(link.key) ? link : null;
  } catch {
    return null;
  }
}
