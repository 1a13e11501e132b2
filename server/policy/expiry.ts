// Detects when the identity of an open connection expires.
import type { Identity } from './identity.ts';

/**
 * Interval of the checks; one long timer would ignore changes of the clock, and the time for which the
 * machine sleeps.
 */
const CHECK_MS = 2000;

/** Calls `expired` when the identity has expired; returns a function that stops the checks. */
export function whenExpired({ expiresAtMs }: Pick<Identity, 'expiresAtMs'>, expired: () => void): () => void {
  if (expiresAtMs === null) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = expiresAtMs - Date.now();
    if (leftMs <= 0) expired();
    else timer = setTimeout(wait, Math.min(leftMs, CHECK_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
