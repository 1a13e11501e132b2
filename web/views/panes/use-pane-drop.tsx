// Handles drops of a tab, pane or list row onto a pane: the zone under the pointer decides where its process opens.
import { useState, type DragEvent } from 'react';
import { hasRoomBeside, movePane } from '../../state/layout/layout-store.ts';
import type { Group, Side } from '../../state/layout/layout-tree.ts';
import { draggedPane } from '../../state/layout/pane-drag.ts';

/** Part of a pane where a drop lands: `middle` adds a tab, a side opens another pane there. */
type Zone = Side | 'middle';

/** Fraction of a pane, from each edge, within which a drop opens another pane on that side if there is room. */
const EDGE = 0.25;

export function usePaneDrop(group: Group) {
  const [zone, setZone] = useState<Zone | null>(null);
  return {
    zone,
    handlers: {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        const key = draggedPane(event.dataTransfer);
        if (key === null) return;
        event.preventDefault();
        setZone(zoneFor(event, key, group));
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setZone(null);
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        setZone(null);
        const key = draggedPane(event.dataTransfer);
        if (key === null) return;
        event.preventDefault();
        const at = zoneFor(event, key, group);
        if (at !== 'middle') movePane(key, group.shown, at);
        else if (!group.keys.includes(key)) movePane(key, group.shown, group.keys.length);
      },
    },
  };
}

function zoneFor(
  { currentTarget, clientX, clientY }: DragEvent<HTMLElement>,
  key: string,
  group: Group,
): Zone {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const x = (clientX - left) / width;
  const y = (clientY - top) / height;
  const edges: readonly (readonly [Side, number])[] = [
    ['left', x],
    ['right', 1 - x],
    ['above', y],
    ['below', 1 - y],
  ];
  const [nearest] = edges.toSorted(([, a], [, b]) => a - b);
  if (!nearest || nearest[1] > EDGE) return 'middle';
  return hasRoomBeside(key, group.shown, nearest[0]) ? nearest[0] : 'middle';
}
