// Theme, dark or light: follows the system until a person chooses; stored per browser.
import { createStore } from 'zustand/vanilla';
import { readText, writeText } from './storage.ts';

export type Theme = 'dark' | 'light';

const STORAGE_KEY = 'exec-console.theme';

const system = window.matchMedia('(prefers-color-scheme: light)');

export const THEME_CHOICES = ['dark', 'light', 'system'] as const;
type ThemeChoice = (typeof THEME_CHOICES)[number];

interface ThemeState {
  readonly choice: ThemeChoice;
  readonly theme: Theme;
}

function current(): ThemeState {
  const kept = readText(STORAGE_KEY);
  const choice = kept === 'dark' || kept === 'light' ? kept : 'system';
  return { choice, theme: choice === 'system' ? (system.matches ? 'light' : 'dark') : choice };
}

export const themeStore = createStore<ThemeState>(() => current());

/** Applies the theme to the page, also after changes. */
export function startTheme(): void {
  const apply = ({ theme }: { theme: Theme }): void => {
    document.documentElement.dataset['theme'] = theme;
  };
  apply(themeStore.getState());
  themeStore.subscribe(apply);
  system.addEventListener('change', () => themeStore.setState(current()));
}

export function toggleTheme(): void {
  chooseTheme(themeStore.getState().theme === 'dark' ? 'light' : 'dark');
}

export function chooseTheme(choice: ThemeChoice): void {
  writeText(STORAGE_KEY, choice === 'system' ? null : choice);
  themeStore.setState(current());
}

/** Calls the listener after the page's tokens have changed. */
export const onThemeChange = (listener: () => void): (() => void) => themeStore.subscribe(listener);
