// The run of the machine, within which pids and start times mean a process.
import { readFileSync } from 'node:fs';

let known: string | null = null;

/** Empty where the system has none. */
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
