// Whether somebody types into a terminal just now: who does waits for each echo, and notices what comes in between.
import { compileSoon } from './compiling.ts';

/** So long after a key the next one is likely. */
const TYPING_MS = 1000;

let typedAtMs = Number.NEGATIVE_INFINITY;

/** Some terminal was given input. */
export function typed(): void {
  typedAtMs = performance.now();
  compileSoon();
}

export function isTyping(): boolean {
  return performance.now() - typedAtMs < TYPING_MS;
}
