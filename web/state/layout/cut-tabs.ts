// Tabs whose names are truncated by the browser; the headers of their panes show the name instead.
import { createStore } from 'zustand/vanilla';

export const cutTabs = createStore<{ readonly keys: ReadonlySet<string> }>(() => ({ keys: new Set() }));

export function setTabCut(key: string, isCut: boolean): void {
  const { keys } = cutTabs.getState();
  if (keys.has(key) === isCut) return;
  const others = [...keys].filter((each) => each !== key);
  cutTabs.setState({ keys: new Set(isCut ? [...others, key] : others) });
}
