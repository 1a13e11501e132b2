// Settings of this browser: stored for later pages, and updated when another page changes them.
import { createStore } from 'zustand/vanilla';
import { onStoredByOthers, readStored, writeStored } from './storage.ts';
import { parseSettings, USUAL, type Settings } from './settings.ts';

const STORED = 'exec-console.settings';

export const settingsStore = createStore<Settings>(() => readStored(STORED, parseSettings));
onStoredByOthers(STORED, () => settingsStore.setState(readStored(STORED, parseSettings), true));

export function change(changed: Partial<Settings>): void {
  keep(parseSettings({ ...settingsStore.getState(), ...changed }));
}

export const backToUsual = (): void => keep(USUAL);

function keep(settings: Settings): void {
  settingsStore.setState(settings, true);
  writeStored(STORED, settings);
}
