// The button that chooses the next theme.
import { Moon, Sun } from 'lucide-react';
import { useStore } from 'zustand';
import { chooseTheme, nextTheme, themeStore, themeTitle } from '../state/page/theme-store.ts';
import { IconButton } from './icon-button.tsx';

export function ThemeButton() {
  const next = nextTheme(useStore(themeStore, ({ theme }) => theme));
  return (
    <IconButton
      icon={next === 'dark' ? Moon : Sun}
      label={themeTitle(next)}
      onClick={() => chooseTheme(next)}
    />
  );
}
