// Replay terminals in this page, for scripts and tests.
import type { ReplayTerminal } from './replay-terminal.ts';

const shown = new Map<string, ReplayTerminal>();

export const replayScreens = {
  get: (key: string): ReplayTerminal | undefined => shown.get(key),
  /** Adds a terminal; returns a function that removes it. */
  add: (key: string, terminal: ReplayTerminal): (() => void) => {
    shown.set(key, terminal);
    return () => shown.delete(key);
  },
};
