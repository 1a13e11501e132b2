// V8's young generation: small for as long as little is printed, of the size that a flood needs from its first moment, and
// empty when it is over.
import { getHeapSpaceStatistics, setFlagsFromString, type HeapSpaceInfo } from 'node:v8';

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** So much within that time is a flood. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 50;
/** The next flood after so long without may find it small again: V8 gives back what it does not need. */
const OVER_MS = 1000;

/** Of both its halves. A flood through 2 MiB costs a fifth more CPU, and through 32 MiB twice as much. */
const FLOOD_BYTES = 8 * 1024 * 1024;
const FLOOD_FACTOR = 4;
/** So long after the last of much output nobody is in a hurry. */
const QUIET_MS = 250;
/** It is emptied when it is full: of copies of this one, and looked at after so many. */
const WORD_BYTES = 8;
const filler = Array.from({ length: 1024 }, () => 0);
const FILLERS_PER_LOOK = 16;
/** It grows only where much survives: some of these, held for a moment, and looked at now and then. */
const MOST_SURVIVORS = 200_000;
const SURVIVORS_PER_LOOK = 10_000;

let bytes = 0;
let nextStepBytes = STEP_BYTES;
let steppedAtMs = 0;
let floodedAtMs = Number.NEGATIVE_INFINITY;
let quiet: NodeJS.Timeout | null = null;

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
  if (bytes < nextStepBytes) return;
  nextStepBytes = bytes + STEP_BYTES;
  const nowMs = performance.now();
  const isFlood = nowMs - steppedAtMs < STEP_MS;
  steppedAtMs = nowMs;
  emptyWhenQuiet();
  if (!isFlood) return;
  if (nowMs - floodedAtMs > OVER_MS) growForFlood();
  floodedAtMs = nowMs;
}

/** A few milliseconds, once. */
function growForFlood(): void {
  growBy(FLOOD_FACTOR);
  const survivors: object[] = [];
  while (space().space_size < FLOOD_BYTES && survivors.length < MOST_SURVIVORS) {
    for (let count = 0; count < SURVIVORS_PER_LOOK; count += 1) survivors.push({ count });
  }
  growBy(1);
}

/** What much output leaves behind is cleared away before the next request would have to wait for that. */
function emptyWhenQuiet(): void {
  if (quiet) return;
  const before = bytes;
  quiet = setTimeout(() => {
    quiet = null;
    if (bytes === before) empty();
    else emptyWhenQuiet();
  }, QUIET_MS).unref();
}

/** A millisecond or two. */
function empty(): void {
  let usedBytes = 0;
  for (let filledBytes = 0; filledBytes < FLOOD_BYTES;) {
    const { space_used_size: nowUsedBytes } = space();
    if (nowUsedBytes < usedBytes) return;
    usedBytes = nowUsedBytes;
    for (let count = 0; count < FILLERS_PER_LOOK; count += 1)
      filledBytes += WORD_BYTES * filler.slice().length;
  }
}

const space = (): Pick<HeapSpaceInfo, 'space_size' | 'space_used_size'> =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space') ?? {
    space_size: FLOOD_BYTES,
    space_used_size: 0,
  };
