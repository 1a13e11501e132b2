// Summary of an absence, and the bells that have rung since their panes were last viewed.
import { createStore } from 'zustand/vanilla';
import type { Absence } from './absence.ts';

interface AttentionState {
  /** Keys of the processes whose bells have rung since their panes were last viewed. */
  readonly rung: ReadonlySet<string>;
  /** Summary of the last absence, until it is dismissed. */
  readonly absence: Absence | null;
  /**
   * Time at which the person last viewed the page before this visit or, if there was one since, before the last long
   * absence; null on the first visit.
   */
  readonly lastHereMs: number | null;
}

export const attentionStore = createStore<AttentionState>(() => ({
  rung: new Set(),
  absence: null,
  lastHereMs: null,
}));

export const addRung = (key: string): void =>
  attentionStore.setState(({ rung }) => ({ rung: new Set([...rung, key]) }));

/** Clears the bells of these processes, which were viewed or are gone. */
export function forgetRung(keys: readonly string[]): void {
  const { rung } = attentionStore.getState();
  if (!keys.some((key) => rung.has(key))) return;
  attentionStore.setState({ rung: new Set([...rung].filter((key) => !keys.includes(key))) });
}
