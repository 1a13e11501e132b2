// Player of a pane's replay, created when it is shown and disposed of when it is closed.
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { isLive } from '../../../text/process-words.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { NOTHING_FOUND, type PaneMatches } from '../../state/processes/searchable.ts';
import { ReplayPlayer, type ReplayState } from '../../screen/replay/replay-player.ts';
import { ReplaySource } from '../../screen/replay/replay-source.ts';
import { ReplayTerminal } from '../../screen/replay/replay-terminal.ts';
import { replayingStore } from '../../state/replay/replaying.ts';
import { replayScreens } from '../../screen/replay/replay-screens.ts';

/** Interval at which the recording of a running process is loaded again. */
const AGAIN_MS = 2000;

export interface Replay {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly player: ReplayPlayer | null;
  readonly terminal: ReplayTerminal | null;
  readonly state: ReplayState | null;
  readonly matches: PaneMatches;
}

export function useReplay(info: ProcessInfo): Replay {
  const { client } = useConsole();
  const { key } = info;
  const host = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<{ player: ReplayPlayer; terminal: ReplayTerminal } | null>(null);
  const [state, setState] = useState<ReplayState | null>(null);
  const [matches, setMatches] = useState<PaneMatches>(NOTHING_FOUND);
  useEffect(() => {
    const element = host.current;
    const first = client.processes.get(key);
    if (!element || !first) return;
    const isRunning = (): boolean => {
      const now = client.processes.get(key);
      return now !== undefined && isLive(now);
    };
    const terminal = new ReplayTerminal(first, setMatches);
    const player = new ReplayPlayer({
      source: new ReplaySource(client.connection, key),
      terminal,
      nowMs: () => (isRunning() ? Date.now() : null),
      changed: setState,
    });
    element.append(terminal.element);
    const unlist = replayScreens.add(key, terminal);
    setMade({ player, terminal });
    const observer = new ResizeObserver(() => terminal.layOut());
    observer.observe(element);
    void player.load().then(() => {
      const { axis } = player.state;
      const offsetMs = replayingStore.getState().asked[key]?.offsetMs ?? null;
      if (!axis) return;
      // Start a running process at the current time and an ended one at the beginning, unless a link names a time.
      if (offsetMs !== null) player.seek(first.startedAtMs + offsetMs);
      else player.seek(isRunning() ? axis.toMs : axis.fromMs);
    });
    const timer = setInterval(() => {
      if (isRunning() && document.visibilityState === 'visible') void player.load();
    }, AGAIN_MS);
    const offRemoved = client.processes.onChanged(({ recordingsRemoved }) => {
      if (recordingsRemoved?.recordings.every((each) => each.key !== key) ?? true) return;
      player.pause();
      // The gateway may still have the newest output in memory.
      if (client.processes.get(key)) void player.load();
    });
    return () => {
      offRemoved();
      clearInterval(timer);
      observer.disconnect();
      unlist();
      player.dispose();
      terminal.dispose();
    };
  }, [client, key]);
  const asked = useStore(replayingStore, (store) => store.asked[key]);
  const seen = useRef(asked);
  useEffect(() => {
    if (asked === seen.current) return;
    seen.current = asked;
    const started = client.processes.get(key)?.startedAtMs;
    if (asked?.offsetMs != null && started !== undefined) made?.player.seek(started + asked.offsetMs);
  }, [asked, client, key, made]);
  return { host, player: made?.player ?? null, terminal: made?.terminal ?? null, state, matches };
}
