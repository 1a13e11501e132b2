// Touch on a terminal: a pinch changes its font size instead of zooming the page; a tap opens the keyboard.

/** Maximum movement of a tap in px; a longer one scrolls. */
const TAP_PX = 10;

export function zoomByPinch(element: HTMLElement, zoom: (factor: number) => void): void {
  let distance: number | null = null;
  element.addEventListener(
    'touchmove',
    (event) => {
      const [first, second] = event.touches;
      if (!first || !second) return;
      event.preventDefault();
      const now = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
      if (distance !== null && distance > 0) zoom(now / distance);
      distance = now;
    },
    { passive: false },
  );
  for (const end of ['touchend', 'touchcancel'] as const) {
    element.addEventListener(end, () => (distance = null));
  }
}

/** Focuses on a tap, since xterm.js uses touch events for its own scrolling. */
export function focusByTap(element: HTMLElement, focus: () => void): void {
  let start: { readonly id: number; readonly x: number; readonly y: number } | null = null;
  element.addEventListener('pointerdown', ({ pointerType, pointerId, isPrimary, clientX, clientY }) => {
    start = pointerType === 'touch' && isPrimary ? { id: pointerId, x: clientX, y: clientY } : null;
  });
  element.addEventListener('pointerup', ({ pointerId, clientX, clientY }) => {
    if (start?.id === pointerId && Math.hypot(clientX - start.x, clientY - start.y) <= TAP_PX) focus();
    start = null;
  });
}
