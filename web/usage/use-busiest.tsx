// The busiest first: measured, put in order, and then left alone while somebody reads.
import { useEffect, useState } from 'react';
import { useConsole } from '../console-context.tsx';
import { inHeldOrder } from '../processes/process-order.ts';
import { busiestFirst, lateCpu } from './busiest.ts';

/** Often enough to see who it is, seldom enough to read it. */
const ORDER_MS = 4000;

interface Busiest {
  readonly keys: readonly string[];
  /** When they were put in order, by the page's clock; null: not yet since it was asked for. */
  readonly orderedAtMs: number | null;
}

/** `keys`: those to put in order. Null while nobody asks. */
export function useBusiest(isOn: boolean, keys: readonly string[], isHeld: boolean): Busiest | null {
  const { usage } = useConsole();
  const [order, setOrder] = useState<Busiest>({ keys: [], orderedAtMs: null });
  const [wasOn, setWasOn] = useState(isOn);
  if (wasOn !== isOn) {
    setWasOn(isOn);
    setOrder({ keys, orderedAtMs: null });
  }
  useEffect(() => {
    if (!isOn) return;
    const undo = keys.map((key) => usage.follow(key, () => {}));
    return () => {
      for (const each of undo) each();
    };
  }, [isOn, keys, usage]);
  const { orderedAtMs } = order;
  useEffect(() => {
    if (!isOn || (isHeld && orderedAtMs !== null)) return;
    return usage.onTold(() => {
      const nowMs = performance.now();
      const known = keys.filter((key) => usage.get(key));
      // The first look at a process does not tell how busy it is.
      const isKnown = known.length > 0 && known.every((key) => lateCpu(usage.get(key)) !== null);
      if (orderedAtMs === null ? !isKnown : nowMs - orderedAtMs < ORDER_MS) return;
      setOrder({ keys: busiestFirst(keys, (key) => usage.get(key)), orderedAtMs: nowMs });
    });
  }, [isOn, isHeld, keys, orderedAtMs, usage]);
  return isOn ? { keys: inHeldOrder(order.keys, keys, (key) => key), orderedAtMs } : null;
}
