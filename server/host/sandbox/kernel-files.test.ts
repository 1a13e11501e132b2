// Mounts of kernel file systems that a grant would make writable, from the text of a mount table.
import { expect, it } from 'vitest';
import { kernelMounts, machineEntries, writableKernelMounts } from './kernel-files.ts';
import { mountsNow } from './mounts.ts';
import type { Grant } from './policy.ts';

const grant = (path: string, access: Grant['access'] = 'write'): Grant => ({ path, access, kind: 'folder' });
const TABLE = [
  '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '23 22 0:20 / /proc rw,nosuid - proc proc rw',
  '24 22 0:21 / /sys rw,nosuid shared:2 master:3 - sysfs sysfs rw',
  '25 24 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw',
  '26 22 0:20 / /srv/jail/my\\040root/proc rw - proc proc rw',
  '27 22 0:23 / /srv/hidden rw - sysfs sysfs rw',
  '28 27 0:24 / /srv/hidden rw - tmpfs tmpfs rw',
  '29 22 0:25 / /dev rw - devtmpfs devtmpfs rw',
  '',
].join('\n');

it('[SB14] kernelMounts finds the topmost mounts, even with blanks in their paths', () => {
  expect(kernelMounts(mountsNow(TABLE))).toEqual([
    '/proc',
    '/sys',
    '/sys/fs/cgroup',
    '/srv/jail/my root/proc',
    '/dev',
  ]);
});

it.each([
  ['everything', [grant('/')], ['/sys', '/srv/jail/my root/proc']],
  ['nothing', [grant('/', 'read')], []],
  ['a folder around a mount', [grant('/', 'read'), grant('/srv')], ['/srv/jail/my root/proc']],
  [
    'a folder in a mount',
    [grant('/', 'read'), grant('/srv/jail/my root/proc/sys')],
    ['/srv/jail/my root/proc'],
  ],
  ['a folder beside the mounts', [grant('/', 'read'), grant('/srv/jail/my')], []],
])(
  '[SB14] writableKernelMounts finds the mounts that are writable with write access to %s',
  (_name, grants, expected) => {
    expect(writableKernelMounts(grants, kernelMounts(mountsNow(TABLE)))).toEqual(expected);
  },
);

it.runIf(process.platform === 'linux')('[SB14] machineEntries omits processes and links', () => {
  const entries = machineEntries();
  expect(entries).toContain('/proc/sys');
  expect(entries.filter((path) => /^\/proc\/(\d+|self|thread-self|net|mounts)$/.test(path))).toEqual([]);
});
