// Groups at their positions, each with its tabs and visible pane, and the dividers between them.
import {
  Activity,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
} from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { TerminalPane } from './terminal-pane.tsx';
import { isPhone, onPhoneChange } from '../../state/page/platform.ts';
import { Divider } from './divider.tsx';
import { placeLayout, type PlacedGroup, type Rect, type Space } from '../../state/layout/layout-places.ts';
import { layoutStore } from '../../state/layout/layout-store.ts';
import { groupsOf, groupWith, keysOf, type Group, type Layout } from '../../state/layout/layout-tree.ts';
import { panelId, tabId, TabBar } from './tab-bar.tsx';
import { usePaneDrop } from './use-pane-drop.tsx';

export function LayoutView() {
  const { terminals } = useConsole();
  const { layout, focused, isZoomed } = useStore(layoutStore);
  const isSmall = useSyncExternalStore(onPhoneChange, isPhone);
  const stage = useRef<HTMLDivElement>(null);
  const space = useSizeOf(stage);
  const visible = isSmall ? asOneGroup(layout, focused) : isZoomed ? groupWith(layout, focused) : layout;
  const { whole, groups, dividers } = placeLayout(visible, space);
  const groupOf = new Map(groups.map((placed) => [placed.group.shown, placed]));
  // The order does not depend on the layout, so that panes retain their DOM elements and the focus when they move.
  const made = keysOf(layout)
    .filter((key) => groupOf.has(key) || terminals.get(key))
    .toSorted();
  return (
    <div ref={stage} className={groups.length > 1 ? 'panes split' : 'panes'}>
      <div className="panes-whole" style={{ width: whole.width, height: whole.height }}>
        {(isSmall ? [] : groups).map(({ group, path, rect }) => (
          <div key={path.join('.')} className="tab-bar-place" style={widthOf(rect)}>
            <TabBar group={group} isFocused={group.shown === focused} mayZoom={groupsOf(layout).length > 1} />
          </div>
        ))}
        {made.map((key) => (
          // A hidden pane retains typed text and draws nothing.
          <Activity key={key} mode={groupOf.has(key) ? 'visible' : 'hidden'}>
            <PanePlace
              processKey={key}
              placed={groupOf.get(key)}
              isFocused={key === focused}
              hasTabs={!isSmall}
            />
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
  readonly hasTabs: boolean;
}

function PanePlace({ processKey, placed, isFocused, hasTabs }: PanePlaceProps) {
  const { zone, handlers } = usePaneDrop(placed?.group ?? NO_GROUP);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused group scrolls into view if the groups do not all fit.
    if (isFocused && hasTabs) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isFocused, hasTabs]);
  return (
    <div
      ref={place}
      {...(hasTabs && { role: 'tabpanel', id: panelId(processKey), 'aria-labelledby': tabId(processKey) })}
      className={`pane-place ${isFocused ? 'focused' : ''}`}
      style={placed && placeOf(placed.rect)}
      data-drop={zone ?? undefined}
      {...handlers}
    >
      <TerminalPane processKey={processKey} />
    </div>
  );
}

/** Group of a hidden pane, which accepts no drops. */
const NO_GROUP: Group = { kind: 'group', keys: [], shown: '' };

const widthOf = ({ left, top, width }: Rect): CSSProperties => ({ left, top, width });
const placeOf = ({ left, top, width, height }: Rect): CSSProperties => ({ left, top, width, height });

/** Returns one group with all open panes, for a phone, which shows only the focused one; null when none is open. */
function asOneGroup(layout: Layout | null, focused: string | null): Layout | null {
  const [first] = groupsOf(layout);
  return first ? { kind: 'group', keys: keysOf(layout), shown: focused ?? first.shown } : null;
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
