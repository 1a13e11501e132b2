// Row order in the table of all processes; rows keep their places while a person is reading them.
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { isLive } from '../../../text/process-words.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { homeView } from '../../state/processes/home-view.ts';
import { clearedProcesses, isCleared } from '../../state/processes/cleared-processes.ts';
import { homeOrder, type HomeColumn, type HomeSort } from '../../state/processes/home-order.ts';
import { groupIdOf, homesOf } from '../../state/processes/group-homes.ts';
import { groupTitles } from '../../state/processes/process-groups.ts';
import { inHeldOrder, inOrder } from '../../state/processes/process-order.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { seenStore } from '../../state/processes/seen.ts';

/** Columns whose values change constantly; rows sorted by them are re-sorted at intervals. */
const MOVING: readonly HomeColumn[] = ['cpu', 'memory', 'line'];
/** Interval between sorts: short enough to stay current, long enough to read. */
const SORT_MS = 4000;
/**
 * Number of usage updates after which the CPU usage of every process is known: the first sample of a process has
 * none, and some processes are measured later than others.
 */
const SETTLING_SAMPLES = 4;
const SETTLING_MS = 6000;

export function useHomeKeys(isHeld: boolean): readonly string[] {
  const { usage } = useConsole();
  const sort = useStore(homeView, (state) => state.sort);
  const seen = useStore(seenStore);
  const cleared = useStore(clearedProcesses);
  const present = useStore(
    processStore,
    useShallow(({ processes }) =>
      inOrder(
        Object.values(processes).filter((info) => !isCleared(info, cleared)),
        seen,
      ).processes.map(({ key }) => key),
    ),
  );
  const isMoving = MOVING.includes(sort.by);
  const { turn, isSettling } = useTurns(sort, { isMoving, isHeld });
  useMeasured(present, sort.by === 'cpu' || sort.by === 'memory');
  const now = useMemo(() => {
    const { processes, sessions } = processStore.getState();
    const infos = present.flatMap((key) => processes[key] ?? []);
    const titles = groupTitles(infos, sessions, homesOf(Object.values(processes)));
    return homeOrder(infos, sort, {
      usedOf: (key) => usage.get(key),
      agentOf: (info) => titles.get(groupIdOf(info)) ?? info.startedBy,
      nowMs: Date.now(),
    }).map(({ key }) => key);
    // oxlint-disable-next-line react/exhaustive-deps -- each turn sorts the rows again
  }, [present, sort, usage, turn]);
  const [shown, setShown] = useState({ now, keys: now, isHeld, sort });
  if (shown.now === now && (isHeld || !shown.isHeld)) return shown.keys;
  // A click on a column header changes the order immediately, even though the pointer is on the table.
  const keys =
    isHeld && !isSettling && shown.sort === sort ? inHeldOrder(shown.keys, now, (key) => key) : now;
  setShown({ now, keys, isHeld, sort });
  return keys;
}

interface Turns {
  /** Number that changes whenever the rows are to be sorted again. */
  readonly turn: number;
  /** True until the values of a newly chosen column are known: rows then move even under the pointer. */
  readonly isSettling: boolean;
}

function useTurns(sort: HomeSort, { isMoving, isHeld }: { isMoving: boolean; isHeld: boolean }): Turns {
  const { usage } = useConsole();
  const [turn, setTurn] = useState(0);
  const [settled, setSettled] = useState<HomeSort | null>(null);
  const isSettling = isMoving && settled !== sort;
  useEffect(() => {
    if (!isSettling) return;
    const settle = (): void => setSettled(sort);
    let left = SETTLING_SAMPLES;
    const undo = usage.onUpdate(() => {
      setTurn((former) => former + 1);
      left -= 1;
      if (left === 0) settle();
    });
    // The timer ends the settling when no process is running and nothing is measured.
    const timer = setTimeout(settle, SETTLING_MS);
    return () => {
      clearTimeout(timer);
      undo();
    };
  }, [sort, isSettling, usage]);
  useEffect(() => {
    if (!isMoving || isHeld) return;
    const timer = setInterval(() => setTurn((former) => former + 1), SORT_MS);
    return () => clearInterval(timer);
  }, [isMoving, isHeld]);
  return { turn, isSettling };
}

/** Measures the usage of all running processes, which the order needs. */
function useMeasured(keys: readonly string[], isOn: boolean): void {
  const { usage } = useConsole();
  useEffect(() => {
    if (!isOn) return undefined;
    const { processes } = processStore.getState();
    return usage.measure(keys.filter((key) => processes[key] && isLive(processes[key])));
  }, [keys, isOn, usage]);
}
