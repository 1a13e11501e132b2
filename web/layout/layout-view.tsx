// The tree as nested panes with dividers that can be dragged, or moved by the arrow keys.
import { useRef } from 'react';
import { useStore } from 'zustand';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { layoutStore, resizePanes } from './layout-store.ts';
import type { Layout, Path } from './layout-tree.ts';

export function LayoutView() {
  const layout = useStore(layoutStore, (state) => state.layout);
  return layout ? <Node layout={layout} path={[]} /> : null;
}

function Node({ layout, path }: { readonly layout: Layout; readonly path: Path }) {
  if (layout.kind === 'pane') return <TerminalPane key={layout.key} processKey={layout.key} />;
  return (
    <div className={`split ${layout.direction}`}>
      <div className="split-part" style={{ flexGrow: layout.share }}>
        <Node layout={layout.first} path={[...path, 'first']} />
      </div>
      <Divider direction={layout.direction} share={layout.share} path={path} />
      <div className="split-part" style={{ flexGrow: 1 - layout.share }}>
        <Node layout={layout.second} path={[...path, 'second']} />
      </div>
    </div>
  );
}

interface DividerProps {
  readonly direction: 'row' | 'column';
  readonly share: number;
  readonly path: Path;
}

const KEY_STEP = 0.03;

function Divider({ direction, share, path }: DividerProps) {
  const divider = useRef<HTMLDivElement>(null);
  const isRow = direction === 'row';
  const back = isRow ? 'ArrowLeft' : 'ArrowUp';
  const forth = isRow ? 'ArrowRight' : 'ArrowDown';
  return (
    <div
      ref={divider}
      role="separator"
      tabIndex={0}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label="Divider between panes"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={10}
      aria-valuemax={90}
      className="divider"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const space = divider.current?.parentElement?.getBoundingClientRect();
        if (!space) return;
        resizePanes(
          path,
          isRow ? (event.clientX - space.left) / space.width : (event.clientY - space.top) / space.height,
        );
      }}
      onKeyDown={(event) => {
        if (event.key !== back && event.key !== forth) return;
        event.preventDefault();
        resizePanes(path, share + (event.key === forth ? KEY_STEP : -KEY_STEP));
      }}
    />
  );
}
