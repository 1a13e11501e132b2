// Mounts from the text of a mount table, and the check that every mount of a sandbox is the intended one.
import { describe, expect, it } from 'vitest';
import { asNodeShows, isExact } from './byte-names.ts';
import { checked, mountsNow } from './mounts.ts';
import { withPins, type Grant, type Policy } from './policy.ts';

const TABLE = [
  '22 21 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '23 22 8:2 /@data /data rw - btrfs /dev/sdb rw',
  '24 23 0:30 / /data/ada/my\\040files rw master:3 - tmpfs tmpfs rw',
  '25 22 0:31 / /srv/below rw - tmpfs tmpfs rw',
  '21 20 0:1 / / rw - rootfs rootfs rw',
  '26 22 0:32 / /srv rw - tmpfs tmpfs rw',
  '',
].join('\n');
const grant = (path: string, access: Grant['access'] = 'write'): Grant => ({ path, access, kind: 'folder' });
const policy = (...grants: Grant[]): Policy => ({
  grants: [grant('/', 'read'), ...grants],
  denied: [],
  network: 'restricted',
});

describe('[SB17] The check of a sandbox', () => {
  it('uses the topmost of two mounts, and ignores mounts below it', () => {
    const reversed = TABLE.split('\n').toReversed().join('\n');
    expect(mountsNow(reversed)).toEqual(mountsNow(TABLE).toReversed());
    expect(mountsNow(TABLE).map(({ point }) => point)).toEqual(['/', '/data', '/data/ada/my files', '/srv']);
  });

  it('identifies each folder by its file system and its path on it', () => {
    const [, , , , allowed, devices, wanted] = checked(
      policy(grant('/data/ada'), grant('/data/ada/.git', 'read'), grant('/opt/a b')),
      mountsNow(TABLE),
    );
    expect(allowed).toBe(
      '\n0:30 / /data/ada/my\\040files\n8:2 /@data/ada /data/ada\n8:1 /opt/a\\040b /opt/a\\040b\n',
    );
    expect(devices).toBe(' 8:1 8:2 0:30 0:32 ');
    expect(wanted).toBe(
      ' 8:2 /@data/ada /data/ada\nro 8:2 /@data/ada/.git /data/ada/.git\n 8:1 /opt/a\\040b /opt/a\\040b',
    );
  });
});

describe('[SB21] Mounts whose names are not UTF-8', () => {
  const BYTES = [
    '22 21 8:1 / / rw - ext4 /dev/sda1 rw',
    '23 22 8:1 /a\xff /srv/b\xff rw - ext4 /dev/sda1 rw',
    '24 22 8:1 /a\xfe /srv/b\xfe/\xc3\xa9 rw - ext4 /dev/sda1 rw',
    '25 22 8:1 /\xc3\xa9 /srv/\xc3\xa9 rw - ext4 /dev/sda1 rw',
    '26 22 8:1 /c\xff /repo rw - ext4 /dev/sda1 rw',
    '',
  ].join('\n');

  it('are distinct, and none of them is the name of another file', () => {
    const mounts = mountsNow(BYTES);
    expect(mounts.map(({ point }) => point).map(isExact)).toEqual([true, false, false, true, true]);
    expect(mounts.map(({ point }) => asNodeShows(point))).toEqual([
      '/',
      '/srv/b\ufffd',
      '/srv/b\ufffd/é',
      '/srv/é',
      '/repo',
    ]);
  });

  it.each(['/', '/srv', '/repo', '/repo/sub'])('are refused where a sandbox writes: %s', (path) => {
    expect(() => checked(policy(grant(path)), mountsNow(BYTES))).toThrow('is not UTF-8');
  });

  it.each(['/srv/é', '/other'])('are accepted elsewhere: %s', (path) => {
    expect(checked(policy(grant(path)), mountsNow(BYTES))).toBeTruthy();
  });
});

it('[SB18] withPins mounts the writable folders above protected and denied paths', () => {
  const readOnly: Policy = {
    ...policy(grant('/repo'), grant('/repo/a/b/.git', 'read')),
    denied: [{ path: '/repo/c/state', kind: 'folder' }],
  };
  expect(withPins(readOnly).grants.map(({ path, access }) => `${access} ${path}`)).toEqual([
    'read /',
    'write /repo',
    'write /repo/a',
    'write /repo/c',
    'write /repo/a/b',
    'read /repo/a/b/.git',
  ]);
});
