// Reads limits of a process from /proc/PID/limits.
import { readFileSync } from 'node:fs';

/**
 * Returns a soft limit by its name in /proc/PID/limits, such as `Max open files`; null when it is unlimited or not
 * listed. Throws when the file cannot be read.
 */
export function softLimit(pid: number | 'self', name: string): bigint | null {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const [, soft] = new RegExp(`^${name} +(\\d+)`, 'm').exec(limits) ?? [];
  return soft === undefined ? null : BigInt(soft);
}

/** Returns the hard limit of this name; null when it is unlimited or not listed. Throws like `softLimit`. */
export function hardLimit(pid: number | 'self', name: string): bigint | null {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const [, hard] = new RegExp(`^${name} +\\w+ +(\\d+)`, 'm').exec(limits) ?? [];
  return hard === undefined ? null : BigInt(hard);
}
