// A button that grants a program a permission, such as setting the clipboard. Because it appears or moves by itself, it
// ignores presses shortly after that, since they may have been meant for another element in the same place.
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { SETTLES_MS } from '../state/approvals/settled.ts';
import { watchMoves } from './watch-moves.ts';

interface SettlingButtonProps {
  readonly className: string;
  readonly title?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

export function SettlingButton({ className, title, onPress, children }: SettlingButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [hasSettled, setSettled] = useState(false);
  useLayoutEffect(() => {
    const { current } = button;
    if (!current) return;
    let timer = setTimeout(setSettled, SETTLES_MS, true);
    const stopWatching = watchMoves(current, () => {
      clearTimeout(timer);
      setSettled(false);
      timer = setTimeout(setSettled, SETTLES_MS, true);
    });
    return () => {
      clearTimeout(timer);
      stopWatching();
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className={className}
      title={title}
      // A `disabled` button might lose the focus.
      aria-disabled={!hasSettled}
      onClick={({ detail }) => {
        // The second click of a double click is ignored, since the first may have been meant for another element.
        if (hasSettled && detail <= 1) onPress();
      }}
    >
      {children}
    </button>
  );
}
