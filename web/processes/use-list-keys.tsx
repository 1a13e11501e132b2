// Single keys that mean the list: while the focus is in it, or nowhere; never where something is typed.
import { useEffect, useRef, type RefObject } from 'react';

type Keys = { readonly [key: string]: () => void };

export function useListKeys(list: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, altKey, metaKey } = event;
      if (ctrlKey || altKey || metaKey || target instanceof HTMLInputElement) return;
      if (target !== document.body && !list.current?.contains(target as Node)) return;
      const act = latest.current[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [list]);
}
