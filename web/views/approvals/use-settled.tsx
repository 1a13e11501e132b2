// A hook that is true once a request may be decided where it stands: a person can have seen that it is there.
import { useEffect, useLayoutEffect, useReducer } from 'react';
import { moved, settlesInMs } from '../../state/approvals/settled.ts';

/** `place`: where the card stands among the others; another one begins anew. */
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
