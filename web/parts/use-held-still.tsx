// State of a list that a person reads or is about to click in: held rows do not change places.
import { useCallback, useEffect, useState, type FocusEvent, type PointerEvent } from 'react';

/** Time after which an unmoved pointer or focus no longer holds the list. */
const PARKED_MS = 10_000;

interface HeldStill {
  /** True while rows keep their places; new ones may still come. */
  readonly isHeld: boolean;
  /** True while something in it has the focus, however long. */
  readonly hasFocus: boolean;
  /** True during a click: rows neither come nor go. */
  readonly isDown: boolean;
  /** Event handlers for the element that is read. */
  readonly handlers: {
    readonly onPointerDown: () => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

export function useHeldStill(): HeldStill {
  const [isDown, hold] = usePointerDown();
  const [pointedAtMs, setPointedAtMs] = useLately();
  const [focusedAtMs, setFocusedAtMs] = useLately();
  const [hasFocus, setFocus] = useState(false);
  return {
    isDown,
    isHeld: isDown || pointedAtMs !== null || focusedAtMs !== null,
    hasFocus,
    handlers: {
      onPointerDown: hold,
      onPointerMove: ({ pointerType, timeStamp }) => {
        // A finger is either down or away; a mouse moves many times a second.
        if (pointerType === 'mouse') setPointedAtMs(Math.floor(timeStamp / 1000));
      },
      onPointerLeave: () => setPointedAtMs(null),
      onFocus: ({ timeStamp }) => {
        setFocusedAtMs(timeStamp);
        setFocus(true);
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && currentTarget.contains(relatedTarget)) return;
        setFocusedAtMs(null);
        setFocus(false);
      },
    },
  };
}

type Lately = readonly [number | null, (atMs: number | null) => void];

/** Time of the last event; null a while later, or once the page has been in the background. */
function useLately(): Lately {
  const [atMs, setAtMs] = useState<number | null>(null);
  useEffect(() => {
    if (atMs === null) return;
    const forget = (): void => setAtMs(null);
    const timer = setTimeout(forget, PARKED_MS);
    const forgetWhenHidden = (): void => {
      if (document.visibilityState === 'hidden') forget();
    };
    document.addEventListener('visibilitychange', forgetWhenHidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', forgetWhenHidden);
    };
  }, [atMs]);
  return [atMs, setAtMs];
}

/** True until the click of a pressed pointer has arrived. */
function usePointerDown(): readonly [boolean, () => void] {
  const [isDown, setDown] = useState(false);
  useEffect(() => {
    if (!isDown) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const release = (): void => {
      // The click comes after the pointer is up, in the same turn.
      timer = setTimeout(() => setDown(false));
    };
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
      if (timer !== null) clearTimeout(timer);
    };
  }, [isDown]);
  return [isDown, useCallback(() => setDown(true), [])];
}
