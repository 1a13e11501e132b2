// A pane's replay: the recorded screen at one moment, and its controls.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { searchingStore, stopSearch } from '../../state/page/searching.ts';
import { goToPane } from '../../state/layout/layout-store.ts';
import { stopReplay } from '../../state/replay/replaying.ts';
import { SearchBar } from '../../parts/search-bar.tsx';
import { ReplayControls } from './replay-controls.tsx';
import { replayKey } from './replay-keys.ts';
import { SeekBar, type Range } from './seek-bar.tsx';
import { useReplay } from './use-replay.tsx';

interface ReplayViewProps {
  readonly info: ProcessInfo;
}

export function ReplayView({ info }: ReplayViewProps) {
  const { key } = info;
  const { host, player, terminal, state, matches } = useReplay(info);
  const [range, setRange] = useState<Range | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const isSearching = useStore(searchingStore, ({ asked }) => asked[key] !== undefined);
  const { recording = null, axis = null } = state ?? {};
  const isReady = recording !== null && axis !== null;
  const close = useCallback((): void => {
    stopReplay(key);
    goToPane(key);
  }, [key]);
  useEffect(() => {
    const pane = root.current?.closest<HTMLElement>('.pane');
    if (!pane || !player) return;
    const listener = (event: KeyboardEvent): void => {
      const { recording: known } = player.state;
      if (known && replayKey(event, player, { marks: known.marks, setRange, onClose: close }))
        event.preventDefault();
    };
    pane.addEventListener('keydown', listener);
    return () => pane.removeEventListener('keydown', listener);
  }, [player, close]);
  useEffect(() => {
    if (isReady) root.current?.querySelector<HTMLElement>('.seek-bar')?.focus({ preventScroll: true });
  }, [isReady]);
  return (
    <div
      ref={root}
      className="replay"
      data-replay-state={
        state?.problem != null
          ? 'failed'
          : state === null || state.preparing !== null || !isReady
            ? 'preparing'
            : state.isPlaying
              ? 'playing'
              : 'paused'
      }
      data-replay-offset={axis === null ? '' : Math.round((state?.atMs ?? 0) - info.startedAtMs)}
    >
      <div className="replay-screen">
        <div ref={host} className="pane-terminal" />
        {isSearching && terminal ? (
          <SearchBar
            processKey={key}
            search={terminal.search}
            matches={matches}
            onClose={() => {
              stopSearch(key);
              root.current?.querySelector<HTMLElement>('.seek-bar')?.focus();
            }}
          />
        ) : null}
        <p role="status" className="replay-note">
          {noteOf(state)}
        </p>
      </div>
      {state?.problem != null ? (
        <p role="alert" className="pane-bar bad">
          {visible(state.problem)}
        </p>
      ) : null}
      <div role="group" aria-label="Replay" className="replay-bar">
        {recording && axis && state && player ? (
          <SeekBar
            recording={recording}
            axis={axis}
            atMs={state.atMs}
            range={range}
            onSeek={(atMs) => player.seek(atMs)}
          />
        ) : (
          <div className="seek-bar" />
        )}
        <ReplayControls
          info={info}
          player={player}
          state={state}
          range={range}
          onRange={setRange}
          onClose={close}
        />
      </div>
    </div>
  );
}

function noteOf(state: ReturnType<typeof useReplay>['state']): string {
  if (state === null) return 'Reading the recording …';
  if (state.preparing !== null) return `Drawing this moment … ${Math.floor(state.preparing * 100)}%`;
  return state.isExact ? '' : 'The screen may differ: some output is missing';
}
