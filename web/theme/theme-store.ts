// Dark or light: as the system has it, until somebody chooses; remembered per browser.
import { createStore } from 'zustand/vanilla';

export type Theme = 'dark' | 'light';

const STORAGE_KEY = 'exec-console.theme';

const system = window.matchMedia('(prefers-color-scheme: light)');

const chosen = (): Theme | null => {
  const kept = localStorage.getItem(STORAGE_KEY);
  return kept === 'dark' || kept === 'light' ? kept : null;
};

const current = (): Theme => chosen() ?? (system.matches ? 'light' : 'dark');

export const themeStore = createStore<{ readonly theme: Theme }>(() => ({ theme: current() }));

/** Puts the theme on the page, and keeps it as it is chosen. */
export function startTheme(): void {
  const apply = ({ theme }: { theme: Theme }): void => {
    document.documentElement.dataset['theme'] = theme;
  };
  apply(themeStore.getState());
  themeStore.subscribe(apply);
  system.addEventListener('change', () => themeStore.setState({ theme: current() }));
}

export function toggleTheme(): void {
  const theme = themeStore.getState().theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, theme);
  themeStore.setState({ theme });
}

/** Told after the page's tokens have changed. */
export const onThemeChange = (listener: () => void): (() => void) => themeStore.subscribe(listener);
