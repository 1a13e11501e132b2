// Detects that a person is reading a list or about to click in it; rows then keep their places.
import { useCallback, useEffect, useState, type FocusEvent, type PointerEvent } from 'react';

/** Time after which a resting pointer or focus no longer holds the list. */
const PARKED_MS = 10_000;

interface HeldStill {
  /** True while rows keep their places; new rows may still appear. */
  readonly isHeld: boolean;
  /** True while an element in the list has the focus, for any length of time. */
  readonly hasFocus: boolean;
  /** True from a press to the end of its click, during which no rows are added or removed. */
  readonly isDown: boolean;
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
        // The time is in seconds, so that a moving mouse renders at most once a second; a finger does not hover.
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

/** Returns a time and its setter; the time becomes null `PARKED_MS` after it was set, or when the page is hidden. */
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

/** Returns true while a press is under way, until its click has been handled, and a function to call at a press. */
function usePointerDown(): readonly [boolean, () => void] {
  const [isDown, setDown] = useState(false);
  useEffect(() => {
    if (!isDown) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const release = (): void => {
      // The click event follows pointerup in the same task.
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
