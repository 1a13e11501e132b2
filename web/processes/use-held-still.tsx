// Whether a pointer is down on something that must not move until its click has arrived.
import { useCallback, useEffect, useState } from 'react';

export function useHeldStill(): { readonly isHeld: boolean; readonly hold: () => void } {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isHeld) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const release = (): void => {
      // The click comes after the pointer is up, in the same turn.
      timer = setTimeout(() => setHeld(false));
    };
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
      if (timer !== null) clearTimeout(timer);
    };
  }, [isHeld]);
  return { isHeld, hold: useCallback(() => setHeld(true), []) };
}
