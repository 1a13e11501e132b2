// One request at a time: the second press of a double click creates nothing.
import { useRef } from 'react';

/** Returns a function that runs `work`, unless earlier work has not ended yet. */
export function useOneAtATime(): (work: () => Promise<void>) => Promise<void> {
  const isUnderWay = useRef(false);
  return async (work) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      await work();
    } finally {
      isUnderWay.current = false;
    }
  };
}
