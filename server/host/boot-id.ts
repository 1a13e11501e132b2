// Identifies the current boot, within which a PID and a start time identify a process.
import { readFileSync } from 'node:fs';

let known: string | null = null;

/** Returns the boot id; empty on systems other than Linux. */
export function bootId(): string {
  known ??= readBootId();
  return known;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
