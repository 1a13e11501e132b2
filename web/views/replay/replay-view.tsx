// A pane's replay: the recorded screen at one moment, and its controls.
import { X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { searchingStore, stopSearch } from '../../state/page/searching.ts';
import { goToPane, layoutStore } from '../../state/layout/layout-store.ts';
import { isRemoved, processStore } from '../../state/processes/process-store.ts';
import { stopReplay } from '../../state/replay/replaying.ts';
import { IconButton } from '../../parts/icon-button.tsx';
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
  const isGone = useStore(processStore, (store) => isRemoved(store, key));
  const close = useCallback((): void => {
    stopReplay(key);
    goToPane(key);
  }, [key]);
  useEffect(() => {
    const pane = root.current?.closest<HTMLElement>('.pane');
    if (!pane || !player) return;
    const listener = (event: KeyboardEvent): void => {
      const known = isGone ? null : player.state.recording;
      if (known && replayKey(event, player, { marks: known.marks, setRange, onClose: close }))
        event.preventDefault();
    };
    pane.addEventListener('keydown', listener);
    return () => pane.removeEventListener('keydown', listener);
  }, [player, close, isGone]);
  useEffect(() => {
    if (isReady) root.current?.querySelector<HTMLElement>('.seek-bar')?.focus({ preventScroll: true });
  }, [isReady]);
  useEffect(() => {
    // The controls that disappear may have had the focus.
    if (isGone && document.activeElement === document.body && layoutStore.getState().focused === key)
      root.current?.querySelector<HTMLElement>('.replay-bar button')?.focus();
  }, [isGone, key]);
  const bar = (
    <>
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
    </>
  );
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
          {isGone ? '' : noteOf(state)}
        </p>
      </div>
      {state?.problem != null && !isGone ? (
        <p role="alert" className="pane-bar bad">
          {visible(state.problem)}
        </p>
      ) : null}
      <div role="group" aria-label="Replay" className="replay-bar">
        {isGone ? <CloseOnly onClose={close} /> : bar}
      </div>
    </div>
  );
}

/** Bar of a recording that was removed: its screen stays, but nothing more of it can be requested. */
function CloseOnly({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className="replay-controls replay-over">
      <span className="replay-label">Replay</span>
      <span className="replay-spacer" />
      <span className="replay-close">
        <IconButton icon={X} label="Close replay" keepsText onClick={onClose}>
          Close
        </IconButton>
      </span>
    </div>
  );
}

function noteOf(state: ReturnType<typeof useReplay>['state']): string {
  if (state === null) return 'Reading the recording …';
  if (state.preparing !== null) return `Drawing this moment … ${Math.floor(state.preparing * 100)}%`;
  return state.isExact ? '' : 'The screen may differ: some output is missing';
}
