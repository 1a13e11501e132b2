// Position of a popover: below or above its button, aligned with the button's right edge, and inside the window.
import type { CSSProperties } from 'react';

const GAP_PX = 4;
const WIDEST_PX = 540;

/** Returns the position of a popover below or above its button; `widthPx` is the popover's minimum width. */
export function placeBy(button: HTMLElement | null, widthPx: number): CSSProperties {
  const { bottom = 0, right = 0, top = 0 } = button?.getBoundingClientRect() ?? {};
  const isLow = bottom > window.innerHeight / 2;
  const windowWidth = document.documentElement.clientWidth;
  const mostRight = Math.max(GAP_PX, windowWidth - widthPx - GAP_PX);
  const fromRight = Math.min(mostRight, Math.max(GAP_PX, windowWidth - right));
  return {
    ...(isLow ? { bottom: window.innerHeight - top + GAP_PX } : { top: bottom + GAP_PX }),
    right: fromRight,
    maxWidth: Math.min(WIDEST_PX, windowWidth - fromRight - GAP_PX),
    maxHeight: (isLow ? top : window.innerHeight - bottom) - 3 * GAP_PX,
  };
}
