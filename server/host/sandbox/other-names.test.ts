// Tests of paths that reach the same folder through other mounts, found in a mount table.
import { expect, it } from 'vitest';
import { mountsNow } from './mounts.ts';
import { otherNames, refuseByteNames } from './other-names.ts';

const MOUNTS = mountsNow(
  [
    '22 21 8:1 / / rw - ext4 /dev/sda1 rw',
    '23 22 8:1 /people /mnt/people rw - ext4 /dev/sda1 rw',
    '24 22 8:1 /people/ada/state/rec /srv/recordings ro - ext4 /dev/sda1 rw',
    '25 22 8:1 / /whole rw - ext4 /dev/sda1 rw',
    '26 25 0:40 / /whole/people rw - tmpfs tmpfs rw',
    '27 22 8:2 / /people/other rw - ext4 /dev/sdb1 rw',
    '28 22 8:2 /ada/state /media/state rw - ext4 /dev/sdb1 rw',
    '29 22 8:1 /people/ada/statement /media/statement rw - ext4 /dev/sda1 rw',
    '30 22 8:1 /people/ada/token /run/token rw - ext4 /dev/sda1 rw',
    '',
  ].join('\n'),
);

it('[SB4] otherNames finds a folder, and paths below it, through every visible mount of its file system', () => {
  expect(otherNames(['/people/ada/state'], MOUNTS)).toEqual(['/mnt/people/ada/state', '/srv/recordings']);
});

it('[SB4] otherNames finds a file that is itself a mount', () => {
  expect(otherNames(['/people/ada/token'], MOUNTS)).toEqual(['/mnt/people/ada/token', '/run/token']);
});

it('[SB4] otherNames finds nothing for a place with one name', () => {
  expect(otherNames(['/people/other/x'], MOUNTS)).toEqual([]);
});

it('[SB21] a name that is not UTF-8 is found as Node shows it, and refused', () => {
  const mounts = mountsNow(
    [
      '22 21 8:1 / / rw - ext4 /dev/sda1 rw',
      '23 22 8:1 /people /mnt/b\xff\xc3 rw - ext4 /dev/sda1 rw',
      '24 22 8:1 /people /mnt/b\xfe\xc3 rw - ext4 /dev/sda1 rw',
      '25 22 8:2 /people /mnt/c\xff rw - ext4 /dev/sdb1 rw',
      '',
    ].join('\n'),
  );
  const shown = Buffer.from([0x62, 0xff, 0xc3]).toString();
  expect(otherNames(['/people/ada'], mounts)).toEqual([`/mnt/${shown}/ada`, `/mnt/${shown}/ada`]);
  expect(() => refuseByteNames(['/people/ada'], mounts)).toThrow(`/mnt/${shown}/ada is not UTF-8`);
  expect(() => refuseByteNames(['/other'], mounts)).not.toThrow();
});
