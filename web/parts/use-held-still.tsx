// Whether somebody reads the list or is about to click in it: then nothing in it changes its place.
import { useCallback, useEffect, useState, type FocusEvent, type PointerEvent } from 'react';

/** A pointer that lies still for so long is only parked there. */
const PARKED_MS = 10_000;

interface HeldStill {
  /** Nothing changes its place for another; what is new may still come. */
  readonly isHeld: boolean;
  /** A click is under way: nothing comes and nothing goes. */
  readonly isDown: boolean;
  /** What holds: for the element that is read. */
  readonly handlers: {
    readonly onPointerDown: () => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

export function useHeldStill(): HeldStill {
  const [isDown, hold] = usePointerDown();
  const [pointedAtMs, setPointedAtMs] = useState<number | null>(null);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    if (pointedAtMs === null) return;
    const timer = setTimeout(() => setPointedAtMs(null), PARKED_MS);
    return () => clearTimeout(timer);
  }, [pointedAtMs]);
  return {
    isDown,
    isHeld: isDown || pointedAtMs !== null || hasFocus,
    handlers: {
      onPointerDown: hold,
      onPointerMove: ({ pointerType, timeStamp }) => {
        // A finger is either down or not there; a mouse moves many times a second.
        if (pointerType === 'mouse') setPointedAtMs(Math.floor(timeStamp / 1000));
      },
      onPointerLeave: () => setPointedAtMs(null),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) =>
        setFocus(relatedTarget !== null && currentTarget.contains(relatedTarget)),
    },
  };
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
