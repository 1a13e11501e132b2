// What happened while nobody looked, and which bells have rung since somebody looked at their panes.
import { createStore } from 'zustand/vanilla';
import type { Absence } from './absence.ts';

interface AttentionState {
  /** The keys of processes whose bells have rung and at which nobody has looked since. */
  readonly rung: ReadonlySet<string>;
  /** Until it has been read. */
  readonly absence: Absence | null;
}

export const attentionStore = createStore<AttentionState>(() => ({ rung: new Set(), absence: null }));

export const addRung = (key: string): void =>
  attentionStore.setState(({ rung }) => ({ rung: new Set([...rung, key]) }));

/** Somebody has looked, or there is nothing to look at any more. */
export function forgetRung(keys: readonly string[]): void {
  const { rung } = attentionStore.getState();
  if (!keys.some((key) => rung.has(key))) return;
  attentionStore.setState({ rung: new Set([...rung].filter((key) => !keys.includes(key))) });
}
