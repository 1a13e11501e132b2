// Wall: live tiles of all running processes. Viewing them has no effect on the processes.
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from 'react';
import { useShallow } from 'zustand/shallow';
import { useStore } from 'zustand';
import type { Tile } from '../../../protocol/looks.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { RowNote } from '../ending/row-note.tsx';
import { commandLine } from '../../../text/command-line.ts';
import { countText, statusCounts } from '../../state/processes/process-counts.ts';
import { inHeldOrder, inOrder } from '../../state/processes/process-order.ts';
import { durationText, numberText } from '../../../text/amounts.ts';
import {
  elapsedMs,
  isHeld as isHeldStart,
  isLive,
  isWaiting,
  statusOf,
} from '../../../text/process-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { seenStore } from '../../state/processes/seen.ts';
import { ShortTitle } from '../../parts/short-title.tsx';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { StatusWord } from '../../parts/status-word.tsx';
import { useHeldStill } from '../../parts/use-held-still.tsx';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { themeStore } from '../../state/page/theme-store.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { BUSY, useUsed } from '../../parts/usage-cell.tsx';
import { cpuText } from '../../state/processes/usage-text.ts';
import { drawTile } from '../../screen/wall/tile-canvas.ts';
import { TileFeed } from '../../screen/wall/tile-feed.ts';
import { GAP_PX, STEPS, wallGrid, WIDEST_PX } from '../../state/page/wall-grid.ts';
import { setTileSize, stepTileSize, wallSize } from '../../state/page/wall-size.ts';

export function Wall({ onOpen }: { readonly onOpen: (key: string) => void }) {
  const { client } = useConsole();
  const [feed] = useState(
    () => new TileFeed({ client, isHidden: () => document.visibilityState === 'hidden' }),
  );
  const { isHeld, handlers } = useHeldStill();
  const keys = useKeysInOrder(isHeld);
  const size = useStore(wallSize, (state) => state.size);
  const [room, setRoom] = useState<{ readonly width: number; readonly height: number } | null>(null);
  useEffect(() => {
    feed.start();
    const visibilityChanged = (): void => feed.visibilityChanged();
    document.addEventListener('visibilitychange', visibilityChanged);
    return () => {
      document.removeEventListener('visibilitychange', visibilityChanged);
      feed.stop();
    };
  }, [feed]);
  const measured = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const neighbour = useNeighbourFocus();
  const grid = room && wallGrid(room, keys.length, size);
  const shownWidth = grid?.tile.width ?? 0;
  useEffect(() => wallSize.setState({ shownWidth }), [shownWidth]);
  if (keys.length === 0) {
    return (
      <div className="wall-empty">
        <h2>Nothing is running</h2>
        <p>New processes appear here, live.</p>
      </div>
    );
  }
  return (
    <>
      <WallBar />
      <div
        ref={measured}
        className="wall"
        role="list"
        aria-label="Running processes"
        onKeyDown={(event) => walk(event, grid?.columns ?? 1)}
        {...handlers}
        {...neighbour}
        style={
          grid
            ? {
                gap: GAP_PX,
                gridTemplateColumns: `repeat(${grid.columns}, minmax(0, ${WIDEST_PX}px))`,
                gridAutoRows: grid.tile.height,
              }
            : {}
        }
      >
        {grid === null
          ? null
          : keys.map((key) => <WallTile key={key} processKey={key} feed={feed} onOpen={onOpen} />)}
      </div>
    </>
  );
}

/**
 * Returns the keys in the list's order: processes that need attention first, then newest first. Tiles keep
 * their order while a person is reading the wall.
 */
function useKeysInOrder(isHeld: boolean): readonly string[] {
  const seen = useStore(seenStore);
  const now = useStore(
    processStore,
    useShallow(({ processes }) =>
      inOrder(Object.values(processes).filter(isLive), seen).processes.map(({ key }) => key),
    ),
  );
  const [shown, setShown] = useState({ now, keys: now, isHeld });
  if (shown.now === now && (isHeld || !shown.isHeld)) return shown.keys;
  const keys = isHeld ? inHeldOrder(shown.keys, now, (key) => key) : now;
  setShown({ now, keys, isHeld });
  return keys;
}

function WallBar() {
  // The counts are the same as in the list: a waiting process is not counted as running.
  const { running, waiting } = useStore(
    processStore,
    useShallow(({ processes }) => statusCounts(Object.values(processes))),
  );
  const size = useStore(wallSize, (state) => state.size);
  return (
    <div className="wall-bar">
      <h2>{numberText(running)} running</h2>
      {waiting > 0 ? <span className="waiting">{countText(waiting, 'waiting')}</span> : null}
      <span className="wall-sizes" role="group" aria-label="Tile size">
        <IconButton
          icon={ZoomOut}
          label="Decrease tile size"
          hint="Decrease tile size (-)"
          disabled={size === 0}
          onClick={() => stepTileSize(-1)}
        />
        <IconButton
          icon={Maximize}
          label="Fit all tiles"
          hint="Fit all tiles on the screen (0)"
          pressed={size === 'auto'}
          onClick={() => setTileSize('auto')}
        >
          Fit all tiles
        </IconButton>
        <IconButton
          icon={ZoomIn}
          label="Increase tile size"
          hint="Increase tile size (+)"
          disabled={size === STEPS.length - 1}
          onClick={() => stepTileSize(1)}
        />
      </span>
    </div>
  );
}

/** Moves the focus from a tile that is removed, because its process ended, to the tile in its place. */
function useNeighbourFocus() {
  const focused = useRef<{ readonly tile: Element; readonly wall: Element; readonly at: number } | null>(
    null,
  );
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.tile.isConnected) return;
    const { wall, at } = focused.current;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    const tiles = [...wall.querySelectorAll<HTMLElement>('.wall-tile')];
    tiles[Math.min(at, tiles.length - 1)]?.focus();
  });
  return {
    onFocusCapture: ({ currentTarget: wall, target }: FocusEvent) => {
      const at = [...wall.querySelectorAll('.wall-tile')].findIndex((tile) => tile === target);
      focused.current = at < 0 ? null : { tile: target, wall, at };
    },
    // Removed elements fire no blur event, so `focused` still refers to a tile that was removed with the focus.
    onBlurCapture: () => {
      focused.current = null;
    },
  };
}

function walk(event: KeyboardEvent<HTMLElement>, columns: number): void {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('.wall-tile')];
  const at = tiles.findIndex((tile) => tile === event.target);
  const last = tiles.length - 1;
  const by = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -at,
    End: last - at,
  }[event.key];
  if (at < 0 || by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  tiles[Math.min(last, Math.max(0, at + by))]?.focus();
}

interface WallTileProps {
  readonly processKey: string;
  readonly feed: TileFeed;
  readonly onOpen: (key: string) => void;
}

function WallTile({ processKey, feed, onOpen }: WallTileProps) {
  const tile = useRef<HTMLButtonElement>(null);
  const { canvas, isInSight } = useTilePicture(processKey, feed);
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const isFollowed = isInSight && info !== undefined && isLive(info);
  const now = useKnownAt(isFollowed);
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const used = useUsed(processKey, isOnline && isFollowed);
  if (!info) return null;
  const status = statusOf(info);
  const cpu = used?.samples.at(-1)?.cpu ?? null;
  return (
    <div role="listitem" className="wall-item">
      <button
        ref={tile}
        type="button"
        data-place="tile"
        className={`wall-tile ${isWaiting(info) ? 'waits' : ''}`}
        data-process-key={processKey}
        data-process-status={status}
        title={commandLine(info.argv)}
        onClick={() => onOpen(processKey)}
      >
        <span className="wall-caption">
          <StatusIcon status={status} isWaiting={isWaiting(info)} />
          <ShortTitle processKey={processKey} className="wall-name" />
          <span className="wall-facts">
            <span className="wall-status">
              <StatusWord info={info} />
            </span>
            {cpu === null ? null : (
              <span className={cpu >= BUSY ? 'busy' : ''}>
                <span className="sr-only">CPU </span>
                {cpuText(cpu)}
              </span>
            )}
            <span className="wall-elapsed">{durationText(elapsedMs(info, now))}</span>
          </span>
        </span>
        <span className="wall-picture">
          <canvas ref={canvas} aria-hidden="true" />
          {info.outputBytes === 0 ? (
            <span className="wall-silent">{isHeldStart(info) ? 'Not started' : 'No output yet'}</span>
          ) : null}
        </span>
      </button>
      <RowNote place="tile" processKey={processKey} onAnswered={() => tile.current?.focus()} />
    </div>
  );
}

/** Returns a canvas on which the process is drawn, without React, while `isInSight`: visible or within 100 px. */
function useTilePicture(processKey: string, feed: TileFeed) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let shown: Tile | null = null;
    let unfollow: (() => void) | null = null;
    const draw = (tile: Tile | null): void => {
      shown = tile;
      if (tile) drawTile(element, tile);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        // Several entries may arrive together; only the newest counts.
        const entry = entries.at(-1);
        unfollow?.();
        unfollow = entry?.isIntersecting ? feed.follow(processKey, draw) : null;
        setInSight(entry?.isIntersecting ?? false);
      },
      { rootMargin: '100px' },
    );
    observer.observe(element);
    const resized = new ResizeObserver(() => draw(shown));
    resized.observe(element);
    const unsubscribe = themeStore.subscribe(() => draw(shown));
    return () => {
      observer.disconnect();
      resized.disconnect();
      unsubscribe();
      unfollow?.();
    };
  }, [processKey, feed]);
  return { canvas, isInSight };
}
