// Limits the size of files that a process may write, which acts like a full disk.
import { execFileSync } from 'node:child_process';

/** Limits each file that a process, by default this one, may write to this many bytes; `unlimited` lifts the limit. */
export function limitFiles(bytes: number | 'unlimited', pid = process.pid): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}
