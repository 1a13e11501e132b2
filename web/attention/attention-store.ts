// What has asked for a person's attention and has not had it yet; what happened while nobody looked.
import { createStore } from 'zustand/vanilla';
import type { Absence } from './absence.ts';
import type { News } from './cause.ts';

interface AttentionState {
  /** By process: failures, notifications and bells of what nobody has looked at since. */
  readonly unseen: { readonly [key: string]: News };
  /** Until it has been read. */
  readonly absence: Absence | null;
}

export const attentionStore = createStore<AttentionState>(() => ({ unseen: {}, absence: null }));

export const addUnseen = (news: News): void =>
  attentionStore.setState(({ unseen }) => ({ unseen: { ...unseen, [news.key]: news } }));

/** Somebody has looked, or there is nothing to look at any more. */
export function forgetUnseen(keys: readonly string[]): void {
  const { unseen } = attentionStore.getState();
  if (!keys.some((key) => unseen[key])) return;
  attentionStore.setState({
    unseen: Object.fromEntries(Object.entries(unseen).filter(([key]) => !keys.includes(key))),
  });
}
