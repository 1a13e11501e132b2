// Tabs whose names the browser has drawn cut: the headers of their panes have room for the name.
import { createStore } from 'zustand/vanilla';

export const cutTabs = createStore<{ readonly keys: ReadonlySet<string> }>(() => ({ keys: new Set() }));

export function setTabCut(key: string, isCut: boolean): void {
  const { keys } = cutTabs.getState();
  if (keys.has(key) === isCut) return;
  const others = [...keys].filter((each) => each !== key);
  cutTabs.setState({ keys: new Set(isCut ? [...others, key] : others) });
}
