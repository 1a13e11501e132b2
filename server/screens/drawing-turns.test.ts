// Tests that screens whose output takes long to draw take turns: rules SN7 and SN8.
import { expect, it } from 'vitest';
import { DrawingTurns, type Turn } from './drawing-turns.ts';
import { Screen } from './screen.ts';
import { ScreenStore } from './screen-store.ts';

const SIZE = { rows: 6, cols: 20 };
const SCROLLBACK = 20;
const LIMITS = { screenScrollbackLines: SCROLLBACK, screensReady: 64, screensStoredBytes: 1e6 };
/** Limits with which each turn ends at the first costly sequence. */
const SHORT = { screenTurnMs: 0, screenDrawMs: 1e9 };
const FILLS = Buffer.from('\u001b#8'.repeat(50));

/** A turn that is always over, and counts how often work waits for the next one. */
class OverTurn implements Turn {
  readonly isOver = true;
  times = 0;
  again(): Promise<void> {
    this.times += 1;
    return Promise.resolve();
  }
}

const CSI = '\u001b[';
it.each([
  `${CSI}2J`,
  `${CSI}?2J`,
  `${CSI}2K`,
  `${CSI}?2K`,
  `${CSI}9X`,
  `${CSI}9S`,
  `${CSI}9T`,
  `${CSI}9^`,
  `${CSI}9L`,
  `${CSI}9M`,
  `${CSI}9@`,
  `${CSI}9P`,
  `${CSI}9b`,
  `${CSI}9I`,
  `${CSI}9Z`,
  `${CSI}9 @`,
  `${CSI}9 A`,
  `${CSI}9'}`,
  `${CSI}9'~`,
  `${CSI}99S`,
  `${CSI}?1049h`,
  `${CSI}?1049l`,
  '\u001bc',
  '\u001b#8',
  '\u001bD',
  '\u001bE',
  '\u001bM',
])('[SN8] other screens take their turns before %j', async (sequence) => {
  const turn = new OverTurn();
  const [slow, usual] = [new Screen(SIZE, SCROLLBACK, turn), new Screen(SIZE, SCROLLBACK)];
  const output = Buffer.from(`${CSI}1;31mone\r\ntwo世${sequence}three${sequence}${sequence}four\r\n`);
  for (const screen of [slow, usual]) await screen.feed(output);
  expect(turn.times).toBe(3);
  expect((await slow.snapshotInTurns(SCROLLBACK)).equals(usual.snapshot(SCROLLBACK))).toBe(true);
  slow.dispose();
  usual.dispose();
});

it('[SN8] the text of a large screen is drawn in several turns, and in the same way', async () => {
  const turn = new OverTurn();
  const size = { rows: 200, cols: 200 };
  const [slow, usual] = [new Screen(size, SCROLLBACK, turn), new Screen(SIZE, SCROLLBACK)];
  await usual.resize(size);
  const output = Buffer.from(`${'e\u0301👩‍🚀漢'.repeat(2000)}\u001b]0;${'t'.repeat(5000)}\u0007end\r\n`);
  for (const screen of [slow, usual]) await screen.feed(output);
  expect(turn.times).toBeGreaterThan(5);
  expect(slow.snapshot(SCROLLBACK).equals(usual.snapshot(SCROLLBACK))).toBe(true);
  slow.dispose();
  usual.dispose();
});

it('[SN8] a screen in the middle of its output pauses while others are drawn, and continues', async () => {
  const turns = new DrawingTurns(SHORT);
  const store = new ScreenStore(LIMITS, turns);
  for (const id of [1, 2]) store.open(id, SIZE);
  const fill = (id: number) => turns.take(id, () => store.feed(id, FILLS));
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await fill(1)).toBe('unfinished');
    expect(await turns.take(2, () => store.feed(2, Buffer.from('other')))).toBe('done');
  }
  let progress = await fill(1);
  while (progress === 'unfinished') progress = await fill(1);
  const filled = await store.picture(1);
  expect(filled?.lines[0]).toEqual([{ text: 'E'.repeat(SIZE.cols) }]);
  for (const id of [1, 2]) store.close(id);
});

it('[SN8] the drawing of a closed screen ends', async () => {
  const turns = new DrawingTurns(SHORT);
  const store = new ScreenStore(LIMITS, turns);
  store.open(1, SIZE);
  let isDrawn = false;
  const feed = async (): Promise<void> => {
    await store.feed(1, FILLS);
    isDrawn = true;
  };
  expect(await turns.take(1, feed)).toBe('unfinished');
  expect(isDrawn).toBe(false);
  store.close(1);
  expect(await turns.take(1, feed)).toBe('done');
  expect(isDrawn).toBe(true);
  expect(await store.snapshot(1, 0)).toBeNull();
});

it('[SN8] a closed screen does not end the turn of another', async () => {
  const turn = new OverTurn();
  let release: () => void = () => {};
  turn.again = () => {
    turn.times += 1;
    return new Promise((resolve) => (release = resolve));
  };
  const screen = new Screen({ rows: 200, cols: 200 }, SCROLLBACK, turn);
  const fed = screen.feed(Buffer.from(`\u001b#8${'x'.repeat(100_000)}`));
  while (turn.times === 0) await new Promise(setImmediate);
  screen.dispose();
  await fed;
  release();
  expect(turn.times).toBe(1);
});

it('[SN8] a screen uses up its time only until it has caught up', async () => {
  const turns = new DrawingTurns({ screenTurnMs: 0, screenDrawMs: 0 });
  const store = new ScreenStore(LIMITS, turns);
  store.open(1, SIZE);
  turns.renew(1);
  expect(await turns.take(1, () => store.feed(1, FILLS))).toBe('unfinished');
  expect(turns.isUsedUp(1)).toBe(true);
  expect(new DrawingTurns(SHORT).isUsedUp(1)).toBe(false);
  store.close(1);
});

it('[SN7] a screen in the middle of its output is dropped when there is no room', async () => {
  const turns = new DrawingTurns(SHORT);
  const store = new ScreenStore({ ...LIMITS, screensReady: 1 }, turns);
  store.open(1, SIZE);
  const feed = (): Promise<void> => store.feed(1, FILLS);
  expect(await turns.take(1, feed)).toBe('unfinished');
  store.open(2, SIZE);
  expect(await turns.take(1, feed)).toBe('done');
  expect(await store.picture(1)).toBeNull();
  expect(await store.picture(2)).not.toBeNull();
  store.close(2);
});
