// Dropping a dragged pane onto another one: on which side it would land, and what happens then.
import { useState, type DragEvent } from 'react';
import { DRAG_TYPE } from '../terminal/pane-header.tsx';
import { placePane } from './layout-store.ts';
import type { Side } from './layout-tree.ts';

export function usePaneDrop(key: string) {
  const [side, setSide] = useState<Side | null>(null);
  return {
    side,
    handlers: {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
        event.preventDefault();
        setSide(nearestSide(event));
      },
      onDragLeave: () => setSide(null),
      onDrop: (event: DragEvent<HTMLElement>) => {
        setSide(null);
        const dragged = event.dataTransfer.getData(DRAG_TYPE);
        if (dragged) placePane(dragged, key, nearestSide(event));
      },
    },
  };
}

function nearestSide({ currentTarget, clientX, clientY }: DragEvent<HTMLElement>): Side {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const x = (clientX - left) / width - 0.5;
  const y = (clientY - top) / height - 0.5;
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? 'left' : 'right';
  return y < 0 ? 'above' : 'below';
}
