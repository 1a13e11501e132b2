// Tests that a file keeps its attributes when a write or a copy replaces it.
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attributeCalls, succeeded, type AttributeCalls } from '../../host/libc.ts';
import { writeWhole } from './change.ts';
import { copy } from './copy.ts';
import { FREE_COPY } from '../../testing/free-copy.ts';

const ACCESS_LIST = 'system.posix_acl_access';

let dir: string;
let target: string;
let source: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'attributes-'));
  [target, source] = [join(dir, 'target'), join(dir, 'source')];
  writeFileSync(target, 'old');
  writeFileSync(source, 'new');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Returns an access control list in the kernel's format, for owner, this user, group, mask and others. */
function listWith(uid: number, rights: number): Buffer {
  const entries = [
    [0x01, 6, 0xffff_ffff],
    [0x02, rights, uid],
    [0x04, 4, 0xffff_ffff],
    [0x10, rights, 0xffff_ffff],
    [0x20, 0, 0xffff_ffff],
  ];
  const list = Buffer.alloc(4 + entries.length * 8);
  list.writeUInt32LE(2);
  for (const [at, [tag = 0, allowed = 0, id = 0]] of entries.entries()) {
    list.writeUInt16LE(tag, 4 + at * 8);
    list.writeUInt16LE(allowed, 6 + at * 8);
    list.writeUInt32LE(id, 8 + at * 8);
  }
  return list;
}

describe.runIf(attributeCalls)('A file that is replaced', () => {
  const calls = attributeCalls as AttributeCalls;
  function give(path: string, name: string, value: Buffer): void {
    const fd = openSync(path, 'r');
    succeeded(calls.set(fd, name, value, value.length, 0));
    closeSync(fd);
  }
  function attribute(path: string, name: string): Buffer | null {
    const value = Buffer.alloc(1024);
    const length = calls.get(path, name, value, value.length);
    return length === -1 ? null : value.subarray(0, length);
  }

  it.each([
    ['written', () => writeWhole(target, Buffer.from('new'))],
    ['overwritten by a copy', () => copy(source, target, FREE_COPY)],
  ])('keeps its access control list and its attributes when it is %s', async (_, put) => {
    const list = listWith(12_345, 6);
    give(target, ACCESS_LIST, list);
    give(target, 'user.origin', Buffer.from('here'));
    give(source, 'user.other', Buffer.from('there'));
    // A copy has the permissions of its source; the group bits are the mask of the access control list.
    chmodSync(source, 0o660);
    const { ino } = statSync(target);

    await put();

    expect(readFileSync(target, 'utf8')).toBe('new');
    expect(statSync(target).ino).not.toBe(ino);
    expect(attribute(target, ACCESS_LIST)).toEqual(list);
    expect(attribute(target, 'user.origin')?.toString()).toBe('here');
    expect(attribute(target, 'user.other')).toBeNull();
    expect(statSync(target).mode & 0o7777).toBe(0o660);
  });

  it('does not get the default access control list of its folder', async () => {
    give(dir, 'system.posix_acl_default', listWith(12_345, 6));
    const { mode } = statSync(target);

    await writeWhole(target, Buffer.from('new'));

    expect(attribute(target, ACCESS_LIST)).toBeNull();
    expect(statSync(target).mode).toBe(mode);
    await writeWhole(join(dir, 'another'), Buffer.from('new'));
    expect(attribute(join(dir, 'another'), ACCESS_LIST)).not.toBeNull();
  });
});
