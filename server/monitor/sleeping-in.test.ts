// Tests of reading, from the kernel's structures, the files that a system call waits for.
import { expect, it } from 'vitest';
import { polled, registered, selected } from './sleeping-in.ts';

it('[WA1] polled returns the descriptors that poll waits to read', () => {
  const bytes = Buffer.alloc(24);
  bytes.writeInt32LE(0, 0);
  bytes.writeInt16LE(0x001, 4);
  bytes.writeInt32LE(7, 8);
  bytes.writeInt16LE(0x004, 12);
  bytes.writeInt32LE(9, 16);
  bytes.writeInt16LE(0x003, 20);
  expect(polled(bytes)).toEqual([0, 9]);
  expect(polled(bytes.subarray(0, 12))).toEqual([0]);
});

it('[WA1] selected returns the descriptors set in an fd_set', () => {
  expect(selected(Buffer.from([0b1000_0001, 0, 0b10]))).toEqual([0, 7, 17]);
  expect(selected(Buffer.alloc(0))).toEqual([]);
});

it('[WA1] registered returns the descriptors that epoll waits to read', () => {
  const fdinfo = [
    'pos:\t0',
    'flags:\t02000002',
    'tfd:       10 events: 80000019 data:                a  pos:0 ino:1 sdev:f',
    'tfd:        0 events:       19 data:                0  pos:0 ino:3 sdev:18',
    'tfd:        5 events:        4 data:                5  pos:0 ino:4 sdev:18',
  ].join('\n');
  expect(registered(fdinfo)).toEqual([10, 0]);
});
