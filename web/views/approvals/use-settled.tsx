// A hook that returns true once a person can have seen the request in its place, so that it may be decided.
import { useEffect, useLayoutEffect, useReducer } from 'react';
import { moved, settlesInMs } from '../../state/approvals/settled.ts';

/** `place`: index of the card among the others; the time begins anew when it changes. */
export function useSettled(id: string, place: number): boolean {
  const [, look] = useReducer((turn: number) => turn + 1, 0);
  const stands = `${id} ${place}`;
  useLayoutEffect(() => moved(stands.slice(0, id.length)), [stands, id.length]);
  const left = settlesInMs(id);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(look, left);
    return () => clearTimeout(timer);
  }, [left]);
  return left === 0;
}
