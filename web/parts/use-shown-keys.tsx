// Keys of the processes with visible panes: not hidden by another tab, the wall, a phone's list, or another browser
// tab.
import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { arePanesShown, pageStore } from '../state/page/page-store.ts';
import { isPhone, onPhoneChange } from '../state/page/platform.ts';
import { layoutStore } from '../state/layout/layout-store.ts';
import { groupsOf } from '../state/layout/layout-tree.ts';

const NONE: readonly string[] = [];

const isPageSeen = (): boolean => document.visibilityState === 'visible';

function onPageSeen(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

export function useShownKeys(): readonly string[] {
  const isSmall = useSyncExternalStore(onPhoneChange, isPhone);
  const isSeen = useSyncExternalStore(onPageSeen, isPageSeen);
  const areShown = useStore(pageStore, (state) => arePanesShown(state, isSmall));
  // A phone, or a maximized pane, leaves only the focused pane visible.
  const keys = useStore(
    layoutStore,
    useShallow(({ layout, focused, isZoomed }) =>
      isSmall || isZoomed
        ? [focused].filter((key) => key !== null)
        : groupsOf(layout).map(({ shown }) => shown),
    ),
  );
  return isSeen && areShown ? keys : NONE;
}
