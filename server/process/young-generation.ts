// V8's young generation: small for as long as little is printed, and of the size that a flood needs from its first moment.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** So much within that time is a flood. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 50;
/** The next flood after so long without may find it small again: V8 gives back what it does not need. */
const OVER_MS = 1000;

/** Of both its halves. A flood through 2 MiB costs a fifth more CPU, and through 32 MiB twice as much. */
const FLOOD_BYTES = 8 * 1024 * 1024;
const FLOOD_FACTOR = 4;
/** It grows only where much survives: some of these, held for a moment, and looked at now and then. */
const MOST_SURVIVORS = 200_000;
const SURVIVORS_PER_LOOK = 10_000;

let bytes = 0;
let steppedAtMs = 0;
let floodedAtMs = Number.NEGATIVE_INFINITY;

/**
 * To be called once, before anything else is done. Else it grows with what each start leaves behind: some 70 KB for each
 * of a hundred idle processes, and 38 so.
 */
export function holdYoungGeneration(): void {
  growBy(1);
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
  if (nowMs - floodedAtMs > OVER_MS) growForFlood();
  floodedAtMs = nowMs;
}

/** A few milliseconds, once. */
function growForFlood(): void {
  growBy(FLOOD_FACTOR);
  const survivors: object[] = [];
  while (size() < FLOOD_BYTES && survivors.length < MOST_SURVIVORS) {
    for (let count = 0; count < SURVIVORS_PER_LOOK; count += 1) survivors.push({ count });
  }
  growBy(1);
}

const size = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? FLOOD_BYTES;
