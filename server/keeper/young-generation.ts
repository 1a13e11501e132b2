// V8's young generation: small for as long as little is printed, and of the size that a flood needs from its first moment.
import { getHeapSpaceStatistics, setFlagsFromString, type HeapSpaceInfo } from 'node:v8';

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** Of both its halves. A flood through 2 MiB costs a fifth more CPU, and through 32 MiB twice as much. */
const FLOOD_BYTES = 8 * 1024 * 1024;
const FLOOD_FACTOR = 4;
/** It is emptied when it is full: of copies of this one, and looked at after so many. */
const WORD_BYTES = 8;
const filler = Array.from({ length: 1024 }, () => 0);
const FILLERS_PER_LOOK = 16;
/** It grows only where much survives: some of these, held for a moment, and looked at now and then. */
const MOST_SURVIVORS = 200_000;
const SURVIVORS_PER_LOOK = 10_000;

/**
 * To be called once, before anything else is done. Else it grows with what each start leaves behind: some 70 KB for each
 * of a hundred idle processes, and 38 so.
 */
export function holdYoungGeneration(): void {
  growBy(1);
}

/** For a flood; takes a few milliseconds. */
export function growYoungGeneration(): void {
  growBy(FLOOD_FACTOR);
  const survivors: object[] = [];
  while (space().space_size < FLOOD_BYTES && survivors.length < MOST_SURVIVORS) {
    for (let count = 0; count < SURVIVORS_PER_LOOK; count += 1) survivors.push({ count });
  }
  growBy(1);
}

/** Takes a millisecond or two. */
export function emptyYoungGeneration(): void {
  let usedBytes = 0;
  for (let filledBytes = 0; filledBytes < FLOOD_BYTES;) {
    const { space_used_size: nowUsedBytes } = space();
    if (nowUsedBytes < usedBytes) return;
    usedBytes = nowUsedBytes;
    for (let count = 0; count < FILLERS_PER_LOOK; count += 1)
      filledBytes += WORD_BYTES * filler.slice().length;
  }
}

/** Whether several threads clear it. Of a flood hardly anything lives on: to share that takes longer than to do it. */
export function shareYoungGeneration(isShared: boolean): void {
  const no = isShared ? '' : 'no-';
  setFlagsFromString(`--${no}parallel-scavenge`);
  setFlagsFromString(`--${no}concurrent-array-buffer-sweeping`);
}

const space = (): Pick<HeapSpaceInfo, 'space_size' | 'space_used_size'> =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space') ?? {
    space_size: FLOOD_BYTES,
    space_used_size: 0,
  };
