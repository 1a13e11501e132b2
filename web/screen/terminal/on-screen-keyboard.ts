// How much of the page an on-screen keyboard covers: it lies over the page, which keeps its size and so does the process.

/** Keeps `--covered` (px) at the page's root; returns its own undo. */
export function followKeyboard(): () => void {
  const { visualViewport } = window;
  if (!visualViewport) return () => {};
  const { style } = document.documentElement;
  const follow = (): void => {
    // Of a page that is zoomed into, what is out of sight is not covered.
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
