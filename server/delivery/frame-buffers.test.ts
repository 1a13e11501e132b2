// Tests of the reuse of frame buffers.
import { expect, it } from 'vitest';
import { frameBuffer, giveBack } from './frame-buffers.ts';

const CHUNK = 44_000;

it('frameBuffer reuses a returned buffer, for one frame at a time', () => {
  const first = frameBuffer(CHUNK);
  const second = frameBuffer(CHUNK);
  expect(second.buffer).not.toBe(first.buffer);
  giveBack(first);
  const third = frameBuffer(CHUNK + 1);
  expect(third.buffer).toBe(first.buffer);
  expect(third.length).toBe(CHUNK + 1);
  expect(frameBuffer(CHUNK).buffer).not.toBe(first.buffer);
});

it('giveBack retains no small, oversized or foreign buffers', () => {
  for (const bytes of [10, 1000, 20_000, 100_000]) {
    const frame = frameBuffer(bytes);
    expect(frame.length).toBe(bytes);
    giveBack(frame);
    const next = frameBuffer(bytes);
    expect(next.buffer === frame.buffer && next.byteOffset === frame.byteOffset).toBe(false);
  }
  const foreign = Buffer.alloc(CHUNK);
  giveBack(foreign);
  expect(frameBuffer(CHUNK).buffer).not.toBe(foreign.buffer);
});

it('giveBack retains at most eight buffers', () => {
  const frames = Array.from({ length: 100 }, () => frameBuffer(CHUNK));
  for (const frame of frames) giveBack(frame);
  const again = Array.from({ length: 100 }, () => frameBuffer(CHUNK));
  const reused = again.filter(({ buffer }) => frames.some((frame) => frame.buffer === buffer));
  expect(reused.length).toBe(8);
});

it.each([
  [32 * 1024 - 1, false],
  [32 * 1024, true],
  [48 * 1024, true],
  [48 * 1024 + 1, false],
])('a buffer for %i bytes is reused: %s', (bytes, isReused) => {
  const frame = frameBuffer(bytes);
  expect(frame.length).toBe(bytes);
  giveBack(frame);
  expect(frameBuffer(bytes).buffer === frame.buffer).toBe(isReused);
});
