// What /proc/PID/limits says of a process.
import { readFileSync } from 'node:fs';

/** By its name there, as `Max open files`; null where it is unlimited. Throws what reading a file throws. */
export function softLimit(pid: number | 'self', name: string): bigint | null {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const [, soft] = new RegExp(`^${name} +(\\d+)`, 'm').exec(limits) ?? [];
  return soft === undefined ? null : BigInt(soft);
}
