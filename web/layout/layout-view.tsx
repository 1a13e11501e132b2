// The panes at their places, and the dividers between them, which are dragged or moved by the arrow keys.
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { layoutStore, resizePanes } from './layout-store.ts';
import { placeDividers, placePanes, SMALLEST_SHARE, type PlacedDivider, type Rect } from './layout-tree.ts';

/** Side by side in the document, wherever they lie: so a pane that moves, or whose neighbour does, is not made anew. */
export function LayoutView() {
  const layout = useStore(layoutStore, (state) => state.layout);
  const focused = useStore(layoutStore, (state) => state.focused);
  return (
    <div className="panes">
      {placePanes(layout).map(({ key, rect }) => (
        <div key={key} className={`pane-place ${key === focused ? 'focused' : ''}`} style={placeOf(rect)}>
          <TerminalPane processKey={key} />
        </div>
      ))}
      {placeDividers(layout).map((divider) => (
        <Divider key={divider.path.join('.')} {...divider} />
      ))}
    </div>
  );
}

const percent = (fraction: number): string => `${fraction * 100}%`;

const placeOf = ({ left, top, width, height }: Rect): CSSProperties => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});

const KEY_STEP = 0.03;

function Divider({ direction, share, path, rect }: PlacedDivider) {
  const isRow = direction === 'row';
  const back = isRow ? 'ArrowLeft' : 'ArrowUp';
  const forth = isRow ? 'ArrowRight' : 'ArrowDown';
  const line = isRow
    ? { left: rect.left + rect.width * share, top: rect.top, height: rect.height, width: 0 }
    : { left: rect.left, top: rect.top + rect.height * share, width: rect.width, height: 0 };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label="Divider between panes"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={SMALLEST_SHARE * 100}
      aria-valuemax={100 - SMALLEST_SHARE * 100}
      className={`divider ${direction}`}
      style={placeOf(line)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const space = event.currentTarget.parentElement?.getBoundingClientRect();
        if (!space) return;
        const x = (event.clientX - space.left) / space.width;
        const y = (event.clientY - space.top) / space.height;
        resizePanes(path, isRow ? (x - rect.left) / rect.width : (y - rect.top) / rect.height);
      }}
      onDoubleClick={() => resizePanes(path, 0.5)}
      onKeyDown={(event) => {
        if (event.key !== back && event.key !== forth) return;
        event.preventDefault();
        resizePanes(path, share + (event.key === forth ? KEY_STEP : -KEY_STEP));
      }}
    />
  );
}
