// Frames that arrive in pieces of any size.
import { expect, it } from 'vitest';
import { encodeFrame, FrameReader, HEADER_BYTES } from './frames.ts';

const frame = (type: number, process: number, payload: string): Buffer => {
  const bytes = encodeFrame(type, process, payload.length);
  bytes.write(payload, HEADER_BYTES);
  return bytes;
};
const FRAMES = [
  [1, 0, ''],
  [5, 7, 'output'],
  [200, 2 ** 32 - 1, 'x'.repeat(300)],
] as const;
const all = Buffer.concat(FRAMES.map(([type, process, payload]) => frame(type, process, payload)));

it.each([1, 2, 8, 9, 10, 17, 100, all.length])('FrameReader reads frames in pieces of %i bytes', (size) => {
  const read: unknown[] = [];
  const reader = new FrameReader((type, process, payload) => read.push([type, process, payload.toString()]));
  for (let at = 0; at < all.length; at += size) reader.take(all.subarray(at, at + size));
  expect(read).toEqual(FRAMES);
});

it('FrameReader rejects a frame that is too long', () => {
  const bytes = frame(1, 1, '');
  bytes.writeUInt32LE(2 ** 31, 0);
  expect(() => new FrameReader(() => {}).take(bytes)).toThrow(RangeError);
});
