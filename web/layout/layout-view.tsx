// The groups at their places, each with its tabs and the one pane that is shown, and the dividers between them.
import { Activity, useLayoutEffect, useRef, useState, useSyncExternalStore, type CSSProperties } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../console-context.tsx';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Divider } from './divider.tsx';
import { placeLayout, type PlacedGroup, type Rect, type Space } from './layout-places.ts';
import { layoutStore } from './layout-store.ts';
import { groupsOf, groupWith, keysOf, type Group, type Layout } from './layout-tree.ts';
import { panelId, tabId, TabBar } from './tab-bar.tsx';
import { usePaneDrop } from './use-pane-drop.tsx';

export function LayoutView() {
  const { terminals } = useConsole();
  const { layout, focused, isZoomed } = useStore(layoutStore);
  const isPhone = useSyncExternalStore(onPhoneChange, () => phone.matches);
  const stage = useRef<HTMLDivElement>(null);
  const space = useSizeOf(stage);
  const visible = isPhone ? asOneGroup(layout, focused) : isZoomed ? groupWith(layout, focused) : layout;
  const { whole, groups, dividers } = placeLayout(visible, space);
  const groupOf = new Map(groups.map((placed) => [placed.group.shown, placed]));
  // In an order of their own, so that the document, and with it the focus, stays as it is when panes move.
  const made = keysOf(layout)
    .filter((key) => groupOf.has(key) || terminals.get(key))
    .toSorted();
  return (
    <div ref={stage} className="panes">
      <div className="panes-whole" style={{ width: whole.width, height: whole.height }}>
        {groups.map(({ group, path, rect }) => (
          <div key={path.join('.')} className="tab-bar-place" style={widthOf(rect)}>
            <TabBar
              group={group}
              isFocused={group.shown === focused}
              mayZoom={!isPhone && groupsOf(layout).length > 1}
            />
          </div>
        ))}
        {made.map((key) => (
          // What is hidden keeps what was typed into it, and draws nothing.
          <Activity key={key} mode={groupOf.has(key) ? 'visible' : 'hidden'}>
            <PanePlace processKey={key} placed={groupOf.get(key)} isFocused={key === focused} />
          </Activity>
        ))}
        {dividers.map((divider) => (
          <Divider key={divider.path.join('.')} {...divider} />
        ))}
      </div>
    </div>
  );
}

interface PanePlaceProps {
  readonly processKey: string;
  readonly placed: PlacedGroup | undefined;
  readonly isFocused: boolean;
}

function PanePlace({ processKey, placed, isFocused }: PanePlaceProps) {
  const { zone, handlers } = usePaneDrop(placed?.group ?? NO_GROUP);
  return (
    <div
      role="tabpanel"
      id={panelId(processKey)}
      aria-labelledby={tabId(processKey)}
      className={`pane-place ${isFocused ? 'focused' : ''}`}
      style={placed && placeOf(placed.rect)}
      data-drop={zone ?? undefined}
      {...handlers}
    >
      <TerminalPane processKey={processKey} />
    </div>
  );
}

/** Of a pane that is hidden, onto which nothing can be dropped. */
const NO_GROUP: Group = { kind: 'group', keys: [], shown: '' };

const widthOf = ({ left, top, width }: Rect): CSSProperties => ({ left, top, width });
const placeOf = ({ left, top, width, height }: Rect): CSSProperties => ({ left, top, width, height });

/** On a phone there is room for one pane; all that is open are its tabs. */
function asOneGroup(layout: Layout | null, focused: string | null): Layout | null {
  const [first] = groupsOf(layout);
  return first ? { kind: 'group', keys: keysOf(layout), shown: focused ?? first.shown } : null;
}

const phone = window.matchMedia('(max-width: 720px)');

function onPhoneChange(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}

function useSizeOf(ref: { readonly current: HTMLElement | null }): Space {
  const [size, setSize] = useState<Space>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
