// When much is printed, and when that is over: what V8 is told then.
import { compileAsUsual, compileLate } from '../host/compiling.ts';
import { emptyYoungGeneration, growYoungGeneration, shareYoungGeneration } from './young-generation.ts';

/** So much within that time is a flood. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 50;
/** After so long without, though something is printed, the young generation may be small again: V8 gives back what it does not need. */
const OVER_MS = 1000;
/** So long after the last of much output nobody is in a hurry. */
const QUIET_MS = 250;

let bytes = 0;
let nextStepBytes = STEP_BYTES;
let steppedAtMs = 0;
let floodedAtMs = Number.NEGATIVE_INFINITY;
let quiet: NodeJS.Timeout | null = null;

/** Some process has printed so much. */
export function printed(length: number): void {
  bytes += length;
  if (bytes < nextStepBytes) return;
  nextStepBytes = bytes + STEP_BYTES;
  const nowMs = performance.now();
  const isFlood = nowMs - steppedAtMs < STEP_MS;
  steppedAtMs = nowMs;
  endWhenQuiet();
  if (!isFlood) return;
  if (nowMs - floodedAtMs > OVER_MS) begin();
  floodedAtMs = nowMs;
}

function begin(): void {
  compileLate();
  shareYoungGeneration(false);
  growYoungGeneration();
}

/** What much output leaves behind is cleared away before the next request would have to wait for that. */
function endWhenQuiet(): void {
  if (quiet) return;
  const before = bytes;
  quiet = setTimeout(() => {
    quiet = null;
    if (bytes === before) end();
    else endWhenQuiet();
  }, QUIET_MS).unref();
}

function end(): void {
  floodedAtMs = Number.NEGATIVE_INFINITY;
  compileAsUsual();
  emptyYoungGeneration();
  shareYoungGeneration(true);
}
