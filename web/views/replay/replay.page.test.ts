// Replay of a pane: texts, states and keys. The drawing is tested in a browser.
import { it } from 'vitest';
import { toBase64 } from '../../../client/bytes.ts';
import type { MomentResult, RecordingResult } from '../../../protocol/replay.ts';
import { expect, newPage, type TestPage } from '../../testing/page.ts';

const START_MS = 1_700_000_000_000;

const RECORDING: RecordingResult = {
  fromMs: START_MS,
  toMs: START_MS + 10_000,
  binMs: 100,
  bins: [0, 20, 40, 60, 80, 99],
  binBytes: [5, 5, 5, 5, 5, 5],
  marks: [
    { kind: 'input', who: 'Ada', atMs: START_MS + 2000, count: 1 },
    { kind: 'resize', rows: 40, cols: 100, atMs: START_MS + 4000, count: 1 },
    { kind: 'bell', atMs: START_MS + 6000, count: 3 },
    { kind: 'exit', exitCode: 2, atMs: START_MS + 10_000, count: 1 },
  ],
  isCut: false,
};

const SCREEN: MomentResult = {
  isReached: true,
  drawnMs: 0,
  seq: 1,
  frameMs: START_MS,
  rows: 24,
  cols: 80,
  data: toBase64(new TextEncoder().encode('as it was')),
  exact: true,
};

/** Loads a page with a terminal pane; `moments` are the requested times, in ms since the start of the process. */
async function pageWithPane(isOver: boolean) {
  const page = await newPage().load();
  const moments: number[] = [];
  page.gateway.answer('process/recording', () => RECORDING);
  page.gateway.answer('process/moment', ({ atMs }) => {
    moments.push(Number(atMs) - START_MS);
    return SCREEN;
  });
  const process = page.agent.start(['vim'], { tty: true, startedAtMs: START_MS });
  process.prints('hello');
  if (isOver) process.ends(2);
  const pane = await page.open(process.key);
  return { page, pane, process, moments };
}

const offset = (page: TestPage) => page.locator('.replay');

it('a replay shows its position, marks and speed', async () => {
  const { page, pane, moments } = await pageWithPane(true);
  await pane.focus();
  await page.keyboard.press('p');
  const slider = pane.getByRole('slider', { name: 'Replay position' });
  await expect(slider).toHaveAttribute('aria-valuetext', /^0s of 10s, /);
  await expect(slider).toBeFocused();
  await expect(offset(page)).toHaveAttribute('data-replay-state', 'paused');
  await expect(pane.getByRole('combobox', { name: 'Speed' })).toHaveValue('1');
  await expect(pane.getByRole('button', { name: 'Skip idle time' })).toHaveAttribute('aria-pressed', 'true');
  await expect(pane.getByRole('button', { name: 'Close replay' })).toBeVisible();

  await page.keyboard.press('>');
  await page.keyboard.press('>');
  await expect(pane.getByRole('combobox', { name: 'Speed' })).toHaveValue('4');
  await page.keyboard.press('<');
  await expect(pane.getByRole('combobox', { name: 'Speed' })).toHaveValue('2');

  await page.keyboard.press(']');
  await expect(offset(page)).toHaveAttribute('data-replay-offset', '2000');
  await page.keyboard.press(']');
  await expect(offset(page)).toHaveAttribute('data-replay-offset', '4000');
  await page.keyboard.press('[');
  await expect(offset(page)).toHaveAttribute('data-replay-offset', '2000');
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', /^10s of 10s, /);
  await expect.poll(() => moments.at(-1)).toBe(10_000);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(offset(page)).toHaveAttribute('data-replay-offset', '5000');

  await page.keyboard.press('p');
  await expect(offset(page)).toHaveCount(0);
});

it('a live pane is replayed from the current time, and accepts no input until it returns to live', async () => {
  const { page, pane, process } = await pageWithPane(false);
  await pane.focus();
  await page.keyboard.press('p');
  await expect(pane.getByRole('button', { name: 'Return to live' })).toBeVisible();
  await expect(offset(page)).toHaveAttribute('data-replay-state', 'paused');
  process.prints('more');
  await pane.getByRole('button', { name: 'Return to live' }).click();
  await expect(offset(page)).toHaveCount(0);
});

it('a replay reports a moment that is still being drawn, a screen that may differ, and a refusal', async () => {
  const { page, pane } = await pageWithPane(true);
  const release = page.gateway.hold('process/moment');
  let isReached = false;
  page.gateway.answer('process/moment', () => {
    if (isReached) return { ...SCREEN, exact: false };
    isReached = true;
    return { ...SCREEN, isReached: false, drawnMs: START_MS, data: '' };
  });
  await pane.focus();
  await page.keyboard.press('p');
  await expect(offset(page)).toHaveAttribute('data-replay-state', 'preparing');
  release();
  await expect(offset(page)).toContainText('The screen may differ: some output is missing');
  page.gateway.answer('process/moment', () => new Error('it has no recording'));
  await page.keyboard.press('End');
  await expect(pane.getByRole('alert')).toContainText('It has no recording');
  await expect(offset(page)).toHaveAttribute('data-replay-state', 'failed');
});
