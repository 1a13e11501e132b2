// V8 compiles what runs often, sooner once somebody types: whoever does waits for each echo.
import { setFlagsFromString } from 'node:v8';

/**
 * Of bytecode, that a function runs before V8 thinks of compiling it. With V8's own, 66 KiB, a keystroke's way is interpreted
 * for the first two thousand of them, whose echoes take half as long again; 20 kB gain half of that, 5 no more.
 */
const BUDGET_BYTES = 10_000;

let isEager = false;

/**
 * Somebody types into a terminal. From the start on would be too soon: where many processes only start, and print, more
 * is compiled than they gain (fifty at once take a fifth longer, an idle terminal 11 KB more).
 */
export function typed(): void {
  if (isEager) return;
  isEager = true;
  setFlagsFromString(`--interrupt-budget=${BUDGET_BYTES}`);
}
