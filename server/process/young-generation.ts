// V8's young generation: kept small while little is printed, and left to grow while somebody floods.
import { setFlagsFromString } from 'node:v8';

/** It grows when much survives in it, as everything does that a start leaves: some 40 KB for each of many idle processes. */
const HOLD = '--semi-space-growth-factor=1';
/** V8's own. A flood through a small one costs half as much CPU again. */
const GROW = '--semi-space-growth-factor=2';

/** So much within that time is a flood. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 50;
/** It is over when there was none for so long; later V8 gives back what it does not need. */
const OVER_MS = 1000;

let mayGrow = false;
let bytes = 0;
let steppedAtMs = 0;
let floodedAtMs = 0;

/** To be called once, before anything is started. */
export function holdYoungGeneration(): void {
  setFlagsFromString(HOLD);
}

/** Some process has printed so much. */
export function printed(length: number): void {
  bytes += length;
  if (bytes < STEP_BYTES) return;
  bytes = 0;
  const nowMs = performance.now();
  const isFlood = nowMs - steppedAtMs < STEP_MS;
  steppedAtMs = nowMs;
  if (!isFlood) return;
  floodedAtMs = nowMs;
  if (mayGrow) return;
  mayGrow = true;
  setFlagsFromString(GROW);
  holdLater();
}

function holdLater(): void {
  setTimeout(() => {
    if (performance.now() - floodedAtMs < OVER_MS) return holdLater();
    mayGrow = false;
    setFlagsFromString(HOLD);
  }, OVER_MS).unref();
}
