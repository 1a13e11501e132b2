// Tests of the player of a replay when a read of the recording has failed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReplayPlayer } from './replay-player.ts';
import type { Frame } from './replay-source.ts';

const FRAMES: readonly Frame[] = [1000, 3000].map((atMs, index) => ({
  atMs,
  bytes: Buffer.from(`output ${index + 1}`),
  size: null,
  seq: index + 1,
  missedBytes: 0,
}));

let nextFrame: FrameRequestCallback | null = null;
let nowMs = 0;
let isCut = false;
let written: string[] = [];

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    nextFrame = callback;
    return 1;
  });
  vi.stubGlobal('cancelAnimationFrame', () => (nextFrame = null));
  [isCut, written] = [false, []];
});
afterEach(() => vi.unstubAllGlobals());

/** Resolves after the pending promise callbacks have run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Draws this many frames, 200 ms apart. */
async function draw(frames: number): Promise<void> {
  nowMs = Math.max(nowMs, performance.now());
  for (let frame = 0; frame < frames; frame += 1) {
    nowMs += 200;
    nextFrame?.(nowMs);
    await settled();
  }
}

/** Returns the player of an ended process, at the beginning of the recording, with a fake terminal. */
async function playerAtBeginning(): Promise<ReplayPlayer> {
  const player = new ReplayPlayer({
    source: {
      recording: async () => ({
        fromMs: 1000,
        toMs: 6000,
        binMs: 100,
        bins: [0, 20, 50],
        binBytes: [1, 1, 1],
        marks: [],
        isCut: false,
      }),
      moment: async (atMs) => ({
        isReached: true,
        drawnMs: atMs,
        seq: 0,
        frameMs: null,
        rows: 24,
        cols: 80,
        data: '',
        exact: true,
      }),
      after: async (seq) => {
        if (isCut) throw new Error('the connection was lost');
        return FRAMES.slice(seq, seq + 1);
      },
    },
    terminal: {
      owedBytes: 0,
      show: async () => {},
      drawn: async () => {},
      write: ({ bytes }) => written.push(Buffer.from(bytes).toString()),
    },
    nowMs: () => null,
    changed: () => {},
  });
  await player.load();
  player.seek(1000);
  await settled();
  return player;
}

it('plays on with all output after a read has failed', async () => {
  const player = await playerAtBeginning();
  isCut = true;
  player.play();
  await draw(3);
  expect(player.state).toMatchObject({ isPlaying: false, atMs: 1000, problem: 'The connection was lost' });
  isCut = false;
  player.play();
  await draw(100);
  expect(written).toEqual(['output 1', 'output 2']);
  expect(player.state).toMatchObject({ isPlaying: false, atMs: 6000, problem: null });
});

it('steps to the next output after a read has failed', async () => {
  const player = await playerAtBeginning();
  isCut = true;
  await player.step('forth');
  expect(player.state).toMatchObject({ atMs: 1000, problem: 'The connection was lost' });
  isCut = false;
  await player.step('forth');
  expect(written).toEqual(['output 1']);
  await player.step('forth');
  expect(player.state).toMatchObject({ atMs: 3000, problem: null });
});
