// All that runs, at a glance: live miniatures. Looking at them, however many, changes no process and costs next to nothing.
import { useEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/shallow';
import { useStore } from 'zustand';
import type { Tile } from '../../server/protocol/looks.ts';
import { useConsole } from '../console-context.tsx';
import { commandLine } from '../processes/command-line.ts';
import { durationText, elapsedMs, isLive, isWaiting, statusOf } from '../processes/process-status.ts';
import { processStore } from '../processes/process-store.ts';
import { titleAmong } from '../processes/process-title.ts';
import { StatusIcon } from '../processes/status-icon.tsx';
import { StatusWord } from '../processes/status-word.tsx';
import { useKnownAt } from '../processes/use-known-at.tsx';
import { themeStore } from '../theme/theme-store.ts';
import { BUSY, useUsed } from '../usage/usage-cell.tsx';
import { cpuText } from '../usage/usage-text.ts';
import { drawTile } from './tile-canvas.ts';
import { TileFeed } from './tile-feed.ts';

export function Wall({ onOpen }: { readonly onOpen: (key: string) => void }) {
  const { client } = useConsole();
  const [feed] = useState(() => new TileFeed(client));
  // What waits for somebody first; else in the order of their start, so that nothing moves while one looks.
  const keys = useStore(
    processStore,
    useShallow(({ processes }) =>
      Object.values(processes)
        .filter(isLive)
        .toSorted(
          (a, b) =>
            Number(isWaiting(b)) - Number(isWaiting(a)) ||
            a.startedAtMs - b.startedAtMs ||
            (a.key < b.key ? -1 : 1),
        )
        .map(({ key }) => key),
    ),
  );
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  if (keys.length === 0) {
    return (
      <div className="wall-empty">
        <h2>Nothing runs</h2>
        <p>What starts appears here, live.</p>
      </div>
    );
  }
  return (
    <div className="wall" role="list" aria-label="Running processes">
      {keys.map((key) => (
        <WallTile key={key} processKey={key} feed={feed} onOpen={onOpen} />
      ))}
    </div>
  );
}

interface WallTileProps {
  readonly processKey: string;
  readonly feed: TileFeed;
  readonly onOpen: (key: string) => void;
}

function WallTile({ processKey, feed, onOpen }: WallTileProps) {
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const now = useKnownAt(info !== undefined && isLive(info));
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const used = useUsed(processKey, isOnline && info !== undefined && isLive(info));
  const title = useStore(processStore, ({ processes }) => {
    const known = processes[processKey];
    return known ? titleAmong(processes, known) : '';
  });
  const canvas = useTilePicture(processKey, feed);
  if (!info) return null;
  const status = statusOf(info);
  const cpu = used?.samples.at(-1)?.cpu ?? null;
  return (
    <div role="listitem" className="wall-item">
      <button
        type="button"
        className={`wall-tile ${isWaiting(info) ? 'waits' : ''}`}
        data-process-key={processKey}
        data-process-status={status}
        title={commandLine(info.argv)}
        onClick={() => onOpen(processKey)}
      >
        <span className="wall-picture">
          <canvas ref={canvas} aria-hidden="true" />
          {info.outputBytes === 0 ? <span className="wall-silent">No output yet</span> : null}
        </span>
        <span className="wall-caption">
          <StatusIcon status={status} isWaiting={isWaiting(info)} />
          <span className="wall-name">{title}</span>
          <span className="wall-facts">
            <StatusWord info={info} />
            {cpu === null ? null : (
              <span className={cpu >= BUSY ? 'busy' : ''}>
                <span className="sr-only">CPU </span>
                {cpuText(cpu)}
              </span>
            )}
            <span>{durationText(elapsedMs(info, now))}</span>
          </span>
        </span>
      </button>
    </div>
  );
}

/** A canvas that shows the process while it can be seen; the picture never passes through React. */
function useTilePicture(processKey: string, feed: TileFeed) {
  const canvas = useRef<HTMLCanvasElement>(null);
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
      ([entry]) => {
        unfollow?.();
        unfollow = entry?.isIntersecting ? feed.follow(processKey, draw) : null;
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
  return canvas;
}
