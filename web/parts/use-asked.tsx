// An answer of the gateway that is asked for again and again while somebody looks at it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorText } from '../../text/error-text.ts';

/** Often enough to see somebody come and go. */
const ASKED_EVERY_MS = 3000;

export interface Asked<T> {
  /** The newest; null before there is one. */
  readonly answer: T | null;
  readonly problem: string | null;
  /** Now, instead of in a while. */
  readonly askAgain: () => void;
}

/** `ask` must stay the same function as long as it is the same question. */
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
          if (isWanted) setProblem(errorText(error));
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
