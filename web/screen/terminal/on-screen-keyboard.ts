// Height covered by an on-screen keyboard, which overlays the page: the page and the process keep their size.

/** Keeps `--covered` (px) up to date on the root element. Returns a function that stops this. */
export function followKeyboard(): () => void {
  const { visualViewport } = window;
  if (!visualViewport) return () => {};
  const { style } = document.documentElement;
  const follow = (): void => {
    // A zoomed page extends beyond the viewport without being covered.
    const isZoomed = visualViewport.scale > 1;
    const covered = window.innerHeight - visualViewport.height - visualViewport.offsetTop;
    style.setProperty('--covered', `${isZoomed ? 0 : Math.max(0, Math.round(covered))}px`);
  };
  follow();
  visualViewport.addEventListener('resize', follow);
  visualViewport.addEventListener('scroll', follow);
  return () => {
    visualViewport.removeEventListener('resize', follow);
    visualViewport.removeEventListener('scroll', follow);
    style.removeProperty('--covered');
  };
}
