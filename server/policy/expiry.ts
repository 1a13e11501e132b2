// Reports the expiry of a proof to connections that are still open then.
import type { Identity } from './identity.ts';

/** Maximum delay of a timer; a later expiry is checked again. */
const LONGEST_TIMER_MS = 24 * 60 * 60 * 1000;

/** Calls `expired` when the identity has expired; returns a function that cancels it. */
export function whenExpired({ expiresAtMs }: Pick<Identity, 'expiresAtMs'>, expired: () => void): () => void {
  if (expiresAtMs === null) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = expiresAtMs - Date.now();
    if (leftMs <= 0) expired();
    else timer = setTimeout(wait, Math.min(leftMs, LONGEST_TIMER_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
