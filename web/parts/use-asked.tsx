// A gateway response, requested repeatedly while it is shown.
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorSentence } from '../../text/error-text.ts';

/** Polling interval: short enough to see people come and go. */
const ASKED_EVERY_MS = 3000;

export interface Asked<T> {
  /** Latest response; null before the first response. */
  readonly answer: T | null;
  readonly problem: string | null;
  readonly askAgain: () => void;
}

/** Repeats a request while mounted; `ask` must keep its identity while the request is the same. */
export function useAsked<T>(ask: () => Promise<T>): Asked<T> {
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const lookNow = useRef<() => void>(() => {});
  useEffect(() => {
    let isWanted = true;
    const look = (): void =>
      void ask().then(
        (given) => {
          if (!isWanted) return;
          setAnswer(given);
          setProblem(null);
        },
        (error: unknown) => {
          if (isWanted) setProblem(errorSentence(error));
        },
      );
    lookNow.current = look;
    look();
    const timer = setInterval(look, ASKED_EVERY_MS);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [ask]);
  const askAgain = useCallback(() => lookNow.current(), []);
  return { answer, problem, askAgain };
}
