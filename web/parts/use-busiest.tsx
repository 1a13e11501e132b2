// Busiest-first order: rows are sorted at every usage update until the person interacts with the list, and then at
// intervals, but not while the person reads the list.
import { useEffect, useState } from 'react';
import { useConsole } from './console-context.tsx';
import type { UsageSample } from '../state/processes/usage-feed.ts';
import { inHeldOrder } from '../state/processes/process-order.ts';
import { busiestFirst, hasOwnInterval, lateCpu } from '../state/processes/busiest.ts';

/** Maximum wait for measurements; after it, rows are sorted by the known usage. */
const MEASURE_MS = 2000;
/** Minimum interval between sorts after an interaction: short enough to stay current, long enough to read. */
const ORDER_MS = 4000;

interface Busiest {
  readonly keys: readonly string[];
  /** `partial`: some rows were not measured in time; rows without any known usage are sorted as idle. */
  readonly phase: 'measuring' | 'partial' | 'known';
  /** Time of the last sort, as `performance.now()`; 0 before the first. */
  readonly orderedAtMs: number;
  /** Processes in the list when the order was requested, each with its latest sample at that time, if any. */
  readonly asked: ReadonlyMap<string, UsageSample | undefined>;
}

const MEASURING: Busiest = { keys: [], phase: 'measuring', orderedAtMs: 0, asked: new Map() };

interface Wish {
  readonly isOn: boolean;
  readonly keys: readonly string[];
  /** True while the person reads the list: after an interaction, rows then keep their order once measured. */
  readonly isHeld: boolean;
  readonly hasMoved: boolean;
}

/** Returns the sorted keys and the phase of the measurement; null while the order is off. */
export function useBusiest({
  isOn,
  keys: live,
  isHeld,
  hasMoved,
}: Wish): Pick<Busiest, 'keys' | 'phase'> | null {
  const { usage } = useConsole();
  const [order, setOrder] = useState(MEASURING);
  const [wasOn, setWasOn] = useState(isOn);
  if (wasOn !== isOn) {
    setWasOn(isOn);
    const asked = new Map(live.map((key) => [key, usage.get(key)?.samples.at(-1)]));
    setOrder({ ...MEASURING, keys: live, asked });
  }
  const keys = useSameKeys(live);
  useEffect(() => {
    return isOn ? usage.measure(keys) : undefined;
  }, [isOn, keys, usage]);
  const { phase, orderedAtMs, asked } = order;
  useEffect(() => {
    if (!isOn || phase !== 'measuring') return;
    const timer = setTimeout(() => setOrder((former) => ({ ...former, phase: 'partial' })), MEASURE_MS);
    return () => clearTimeout(timer);
  }, [isOn, phase]);
  const ordered = order.keys;
  useEffect(() => {
    const isStill = isHeld && hasMoved;
    if (!isOn || (isStill && phase !== 'measuring')) return;
    const look = (): void => {
      const isKnown = (key: string): boolean => lateCpu(usage.get(key)) !== null;
      const base = inHeldOrder(ordered, keys, (key) => key);
      // A process started after the request does not delay the order.
      const isMeasured = (key: string): boolean => hasOwnInterval(usage.get(key), asked.get(key));
      const areAllKnown = keys.every((key) => (asked.has(key) ? isMeasured(key) : true));
      const nowMs = performance.now();
      // No usage is known directly after a reconnection; the order then stays until some is.
      const isDue = base.some(isKnown) && nowMs - orderedAtMs >= (hasMoved ? ORDER_MS : 0);
      if (areAllKnown ? phase === 'known' && !isDue : phase === 'measuring' || !isDue) return;
      const next = areAllKnown ? 'known' : phase;
      const first = busiestFirst(base, (key) => usage.get(key));
      setOrder({ keys: first, phase: next, orderedAtMs: nowMs, asked });
    };
    // All measurements may already be available.
    if (orderedAtMs === 0) look();
    return usage.onUpdate(look);
  }, [isOn, isHeld, hasMoved, keys, ordered, phase, orderedAtMs, asked, usage]);
  return isOn ? { keys: inHeldOrder(ordered, keys, (key) => key), phase } : null;
}

/** Returns the same array while its keys are equal, since the list creates a new array on every change. */
function useSameKeys(now: readonly string[]): readonly string[] {
  const [previous, keep] = useState(now);
  const isSame = previous.length === now.length && previous.every((key, index) => key === now[index]);
  if (isSame) return previous;
  keep(now);
  return now;
}
