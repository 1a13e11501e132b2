// Whether somebody reads the list or is about to click in it: then nothing in it changes its place.
import { useCallback, useEffect, useState, type FocusEvent, type PointerEvent } from 'react';

/** A pointer or a focus that lies still for so long is only parked there. */
const PARKED_MS = 10_000;

interface HeldStill {
  /** Nothing changes its place for another; what is new may still come. */
  readonly isHeld: boolean;
  /** True while something in it has the focus, however long. */
  readonly hasFocus: boolean;
  /** A click is under way: nothing comes and nothing goes. */
  readonly isDown: boolean;
  /** What holds: for the element that is read. */
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
        // A finger is either down or not there; a mouse moves many times a second.
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

/** Moment at which something was done last; null once that is a while ago, or the page has been out of sight since. */
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

/** Until the click of a pointer that is down has arrived. */
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
