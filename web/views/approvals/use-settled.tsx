// A hook that is true once a request may be decided where it stands: a person can have seen that it is there.
import { useLayoutEffect, useState } from 'react';
import { settlesInMs, stands } from '../../state/approvals/settled.ts';

/** `place`: where the card stands among the others; in another one it has to settle again. */
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
