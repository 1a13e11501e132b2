// Finds the files that configure the kernel. They are read-only in every sandbox, because user 0 can write to them
// without any capability.
import { lstatSync, readdirSync } from 'node:fs';
import { mountsNow } from './mounts.ts';
import { isWithin, type Grant } from './policy.ts';

/** Types of file systems that contain only kernel files. */
const KERNEL_TYPES = new Set([
  'proc',
  'sysfs',
  'debugfs',
  'tracefs',
  'securityfs',
  'configfs',
  'selinuxfs',
  'bpf',
  'cgroup',
  'cgroup2',
  'efivarfs',
  'pstore',
  'fusectl',
  'binfmt_misc',
  'nfsd',
  'rpc_pipefs',
  'resctrl',
  'devtmpfs',
]);

/**
 * Returns the entries of /proc that belong to the machine, not to a process: all folders, and the files with
 * write permission. They are listed at each start, because a kernel module may add some at any time.
 */
export function machineEntries(proc = '/proc'): string[] {
  return readdirSync(proc)
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => `${proc}/${name}`)
    .filter((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      return entry !== undefined && (entry.isDirectory() || (entry.isFile() && (entry.mode & 0o222) !== 0));
    });
}

/**
 * Returns the outermost mounts of the kernel's file systems, outside /proc and /dev, that a write grant would make
 * writable, wholly or in part.
 */
export function writableKernelMounts(grants: readonly Grant[], mounts = kernelMounts()): string[] {
  const written = grants.filter(({ access }) => access === 'write').map(({ path }) => path);
  return mounts
    .filter((mount) => !isWithin(mount, '/proc') && !isWithin(mount, '/dev'))
    .filter((mount) => written.some((path) => isWithin(mount, path) || isWithin(path, mount)))
    .filter((mount, _, all) => !all.some((other) => other !== mount && isWithin(mount, other)));
}

/** Returns the mount points of the kernel's file systems. */
export const kernelMounts = (mounts = mountsNow()): string[] =>
  mounts.filter(({ type }) => KERNEL_TYPES.has(type)).map(({ point }) => point);
