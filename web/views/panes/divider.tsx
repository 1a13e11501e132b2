// Divider between two groups: drag it or use the arrow keys.
import { resizePanes } from '../../state/layout/layout-store.ts';
import type { PlacedDivider } from '../../state/layout/layout-places.ts';

const KEY_STEP = 0.03;

export function Divider({ direction, share, least, most, path, rect }: PlacedDivider) {
  const isRow = direction === 'row';
  const back = isRow ? 'ArrowLeft' : 'ArrowUp';
  const forth = isRow ? 'ArrowRight' : 'ArrowDown';
  const { left, top, width, height } = rect;
  const resize = (to: number): void => resizePanes(path, Math.min(most, Math.max(least, to)));
  return (
    <div
      role="separator"
      data-place="divider"
      tabIndex={0}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label="Divider between panes"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={Math.round(least * 100)}
      aria-valuemax={Math.round(most * 100)}
      className={`divider ${direction}`}
      style={
        isRow
          ? { left: left + Math.round(width * share), top, height }
          : { left, top: top + Math.round(height * share), width }
      }
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const space = event.currentTarget.parentElement?.getBoundingClientRect();
        if (!space) return;
        const x = event.clientX - space.left - left;
        const y = event.clientY - space.top - top;
        resize(isRow ? x / width : y / height);
      }}
      onDoubleClick={() => resize(0.5)}
      onKeyDown={(event) => {
        const to = { [back]: share - KEY_STEP, [forth]: share + KEY_STEP, Home: least, End: most }[event.key];
        if (to === undefined || event.ctrlKey) return;
        event.preventDefault();
        resize(to);
      }}
    />
  );
}
