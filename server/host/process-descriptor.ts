// Opens process descriptors, with which Linux 6.15 and later report the exit of a process that is not a child.
import type { ChildExit } from './child.ts';
import { libc, syscall } from './libc.ts';
import { exitOf } from './posix-spawn.ts';

const PIDFD_OPEN = 434;
/** _IOWR(0xff, 11, struct pidfd_info), whose first version has 64 bytes. */
const PIDFD_GET_INFO = 0xc040ff0b;
const INFO_BYTES = 64;
const MASK_AT = 0;
const EXIT_CODE_AT = 60;
const PIDFD_INFO_EXIT = 8n;

/**
 * Returns a descriptor of a live process; null when the system does not support such descriptors, or the
 * process has ended.
 */
export function processDescriptor(pid: number): number | null {
  const descriptor = syscall?.(PIDFD_OPEN, 'int', pid, 'int', 0) ?? -1;
  return descriptor >= 0 ? descriptor : null;
}

/** Returns the exit of a process that has ended and was reaped; null when the kernel does not report it. */
export function exitByDescriptor(descriptor: number): ChildExit | null {
  const info = new Uint16Array(INFO_BYTES / 2);
  const view = new DataView(info.buffer);
  view.setBigUint64(MASK_AT, PIDFD_INFO_EXIT, true);
  if (libc.ioctl(descriptor, PIDFD_GET_INFO, 'void *', info) !== 0) return null;
  if ((view.getBigUint64(MASK_AT, true) & PIDFD_INFO_EXIT) === 0n) return null;
  return exitOf(view.getInt32(EXIT_CODE_AT, true));
}
