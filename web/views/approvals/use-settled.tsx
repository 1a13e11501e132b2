// A hook that returns true once a person can have seen the request in its place, so that it may be decided.
import { useLayoutEffect, useState } from 'react';
import { settlesInMs, stands } from '../../state/approvals/settled.ts';

/** `place`: index of the card among the others; in another place it has to settle again. */
export function useSettled(id: string, place: number): boolean {
  const stand = `${id} ${place}`;
  /** The id and place that have settled; null before any has. */
  const [settled, setSettled] = useState<string | null>(null);
  useLayoutEffect(() => {
    stands(id, place);
    const timer = setTimeout(() => setSettled(`${id} ${place}`), settlesInMs(id));
    return () => clearTimeout(timer);
  }, [id, place]);
  return settled === stand;
}
