// Theme: the system's, unless a person has chosen one; the choice is stored per browser. The colours are in
// `web/parts/tokens.css`.
import { createStore } from 'zustand/vanilla';
import { capitalized } from '../../../text/capitalized.ts';
import { onStoredByOthers, readText, writeText } from './storage.ts';

/** All themes, in the order in which the button cycles through them. */
export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'exec-console.theme';

const system = window.matchMedia('(prefers-color-scheme: light)');

export const THEME_CHOICES = [...THEMES, 'system'] as const;
type ThemeChoice = (typeof THEME_CHOICES)[number];

interface ThemeState {
  readonly choice: ThemeChoice;
  readonly theme: Theme;
}

function current(): ThemeState {
  const stored = readText(STORAGE_KEY);
  const choice = THEMES.find((theme) => theme === stored) ?? 'system';
  return { choice, theme: choice === 'system' ? (system.matches ? 'light' : 'dark') : choice };
}

export const themeStore = createStore<ThemeState>(() => current());

/** Applies the theme to the page, now and after each change. */
export function startTheme(): void {
  const apply = ({ theme }: { theme: Theme }): void => {
    document.documentElement.dataset['theme'] = theme;
  };
  apply(themeStore.getState());
  themeStore.subscribe(apply);
  const update = (): void => themeStore.setState(current());
  system.addEventListener('change', update);
  onStoredByOthers(STORAGE_KEY, update);
}

/** Returns for example `Dark theme`. */
export const themeTitle = (theme: Theme): string => `${capitalized(theme)} theme`;

/** Returns the theme that the button switches to. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? theme;

export function chooseTheme(choice: ThemeChoice): void {
  writeText(STORAGE_KEY, choice === 'system' ? null : choice);
  themeStore.setState(current());
}

/** Calls `listener` when the theme or the person's choice changes. Returns a function that removes the listener. */
export const onThemeChange = (listener: () => void): (() => void) => themeStore.subscribe(listener);
