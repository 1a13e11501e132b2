// Hook that returns true once a person can have seen the request in its place, so that it may be decided.
import { useLayoutEffect, useState } from 'react';
import { settlesInMs, stands } from '../../state/approvals/settled.ts';

/** `place`: index of the card; a card that moves has to settle again. */
export function useSettled(id: string, place: number): boolean {
  const stand = `${id} ${place}`;
  /** Id and place that have settled; null before that. */
  const [settled, setSettled] = useState<string | null>(null);
  useLayoutEffect(() => {
    stands(id, place);
    // A key that came too early makes it settle again.
    const look = (): void => {
      if (settlesInMs(id) > 0) timer = setTimeout(look, settlesInMs(id));
      else setSettled(`${id} ${place}`);
    };
    let timer = setTimeout(look, settlesInMs(id));
    return () => clearTimeout(timer);
  }, [id, place]);
  return settled === stand;
}
