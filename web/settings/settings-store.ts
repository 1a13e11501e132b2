// The settings of this browser: kept for the next page, told to what is open.
import { createStore } from 'zustand/vanilla';
import { parseSettings, USUAL, type Settings } from './settings.ts';

const STORED = 'exec-console.settings';

export const settingsStore = createStore<Settings>(() => stored());

export function change(changed: Partial<Settings>): void {
  keep(parseSettings({ ...settingsStore.getState(), ...changed }));
}

export const backToUsual = (): void => keep(USUAL);

function keep(settings: Settings): void {
  settingsStore.setState(settings, true);
  try {
    localStorage.setItem(STORED, JSON.stringify(settings));
  } catch {
    // A browser that stores nothing forgets this, too.
  }
}

function stored(): Settings {
  try {
    return parseSettings(JSON.parse(localStorage.getItem(STORED) ?? '{}'));
  } catch {
    return USUAL;
  }
}
