// Edge of the list: drag it or use the arrow keys; a double click restores the default width.
import { useStore } from 'zustand';
import { setSidebarWidth, SIDEBAR, sidebarWidth } from '../state/page/sidebar-width.ts';

const KEY_STEP = 16;

export function SidebarDivider() {
  const width = useStore(sidebarWidth, (state) => state.width);
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={SIDEBAR.least}
      aria-valuemax={SIDEBAR.most}
      className="sidebar-divider"
      title="Drag, or use the arrow keys; double-click for the default width"
      onPointerDown={(event) => {
        // Dragging must not select text.
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) setSidebarWidth(event.clientX);
      }}
      onDoubleClick={() => setSidebarWidth(SIDEBAR.usual)}
      onKeyDown={(event) => {
        const to = {
          ArrowLeft: width - KEY_STEP,
          ArrowRight: width + KEY_STEP,
          Home: SIDEBAR.least,
          End: SIDEBAR.most,
        }[event.key];
        if (to === undefined || event.ctrlKey) return;
        event.preventDefault();
        setSidebarWidth(to);
      }}
    />
  );
}
