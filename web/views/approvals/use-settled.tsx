// Hook that returns true once a person can have seen the request in its place, so that it may be decided.
import { useLayoutEffect, useState, type RefObject } from 'react';
import { settleAgain, settlesInMs, stands } from '../../state/approvals/settled.ts';
import { watchMoves } from '../../parts/watch-moves.ts';

/** `place`: index of the card; a card whose index changes or whose `buttons` move has to settle again. */
export function useSettled(id: string, place: number, buttons: RefObject<Element | null>): boolean {
  const stand = `${id} ${place}`;
  /** Id and place of the card once it has settled; null before. */
  const [settled, setSettled] = useState<string | null>(null);
  useLayoutEffect(() => {
    stands(id, place);
    // A key that is pressed too early restarts the settling time.
    const look = (): void => {
      if (settlesInMs(id) > 0) timer = setTimeout(look, settlesInMs(id));
      else setSettled(`${id} ${place}`);
    };
    let timer = setTimeout(look, settlesInMs(id));
    const { current } = buttons;
    const stopWatching = current
      ? watchMoves(current, () => {
          settleAgain(id);
          setSettled(null);
          clearTimeout(timer);
          look();
        })
      : null;
    return () => {
      clearTimeout(timer);
      stopWatching?.();
    };
  }, [id, place, buttons]);
  return settled === stand;
}
