// V8 compiles what runs often: sooner once somebody types, and who does waits for each echo; later for a flood.
import { setFlagsFromString } from 'node:v8';

/**
 * Of bytecode, that a function runs before V8 thinks of compiling it. With V8's own, 66 KiB, a keystroke's way is interpreted
 * for the first two thousand of them, whose echoes take half as long again; 20 kB gain half of that, 5 no more.
 */
const SOON_BYTES = 10_000;
/** What it is where nobody says otherwise, in the V8 of Node 20. */
const USUAL_BYTES = 67_584;
/**
 * To compile a flood's way takes other threads a sixth of a second of CPU, which is what 150 MB gain by it: most floods are
 * over by then. Ten times as much gains no more, and a pipe of 400 MB loses by it.
 */
const LATE_BYTES = 200_000;

let isSoon = false;

/**
 * Somebody types into a terminal. From the start on would be too soon: where many processes only start, and print, more
 * is compiled than they gain (fifty at once take a fifth longer, an idle terminal 11 KB more).
 */
export function compileSoon(): void {
  if (isSoon) return;
  isSoon = true;
  setBudget(SOON_BYTES);
}

/** Much is printed, and perhaps not for long; until `compileAsUsual`. Nothing where somebody has typed. */
export function compileLate(): void {
  if (!isSoon) setBudget(LATE_BYTES);
}

export function compileAsUsual(): void {
  if (!isSoon) setBudget(USUAL_BYTES);
}

const setBudget = (bytes: number): void => setFlagsFromString(`--interrupt-budget=${bytes}`);
