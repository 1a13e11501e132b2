// The timeline of history: 10,000 commands of three agents, found by agent, time and outcome, by mouse and
// keys.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { HistoryResult } from '../protocol/history.ts';
import { ConsolePage, drawn, expect, expectAccessible, sh, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { addPast, pastOf, type Past } from './timeline-history.ts';

const MINUTE = 60_000;

/** Distance of the first row of bars from the top of the canvas, in px. */
const FIRST_ROW_PX = 46;

/**
 * Returns the colours of the first row, one per pixel, as `rgb(…)`. All are read in one call, since each call waits
 * for a frame.
 */
const firstRow = (page: Page): Promise<string[]> =>
  page.locator('.timeline-canvas').evaluate((element, y) => {
    const canvas = element as HTMLCanvasElement;
    const scale = canvas.width / canvas.clientWidth;
    const { data } = canvas.getContext('2d')?.getImageData(0, y * scale, canvas.width, 1) ?? { data: [] };
    return Array.from({ length: canvas.clientWidth }, (_, x) => {
      const at = 4 * Math.floor(x * scale);
      return `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
    });
  }, FIRST_ROW_PX);

/** Runs a process, kills the gateway, and adds `past` to the stored history; resolves with the process's key. */
async function withHistory(gateway: Gateway, past: readonly Past[]): Promise<string> {
  const agent = await gateway.agent();
  const { processId, key } = await agent.start(sh('echo built'));
  await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
  const recorded = async () =>
    (await agent.request<HistoryResult>('console/history', {})).processes[0]?.recordedBytes ?? 0;
  await expect.poll(recorded).toBeGreaterThan(0);
  await gateway.kill();
  addPast(join(gateway.dir, 'state'), past);
  return key;
}

/** Resolves with a point inside a bar of the first lane, once the lane has one. */
async function barPlace(page: Page): Promise<{ x: number; y: number }> {
  let x = -1;
  const found = async (): Promise<number> => {
    const [, ground, ...others] = await firstRow(page);
    // A line of the axis is only one px wide, unlike a bar.
    x = others.findIndex((colour, at) => colour !== ground && colour === others[at + 1]);
    return x;
  };
  await expect.poll(found, { message: 'there is no bar on the first lane' }).toBeGreaterThan(0);
  return { x: x + 3, y: FIRST_ROW_PX };
}

test('10,000 commands are drawn in lanes on one axis: filtered, zoomed, selected by drag, and opened by keys', async ({
  page,
}) => {
  const first = await Gateway.start({ flags: ['--approvals', 'never'] });
  const past = pastOf(10_000, { nowMs: Date.now() - MINUTE, everyMs: 12_000 });
  const real = await withHistory(first, past);
  const next = await first.startAgain();
  try {
    const console = new ConsolePage(page);
    await page.goto(await next.freshLink('admin'));
    await console.isOnline();
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    const timeline = dialog.getByRole('region', { name: 'Timeline' });
    const lanes = timeline.getByRole('group', { name: 'Processes over time' });
    const rows = dialog.locator('button.history-row');
    await expect(timeline).toContainText('Claude Code · thread 1');

    await test.step('two clicks show what one agent ran in the last ten minutes, and what failed', async () => {
      await dialog.getByRole('button', { name: 'Last 10m' }).click();
      await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ index: 1 });
      await expect(timeline).toContainText('Codex · thread 2');
      await expectAccessible(page);
      await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ index: 0 });
    });

    await test.step('a drag selects a range, to which the rows below are limited', async () => {
      const box = await page.locator('.timeline-canvas').boundingBox();
      if (!box) throw new Error('the timeline is not drawn');
      const [from, to] = [box.width * 0.4, box.width * 0.6];
      await page.mouse.move(box.x + from, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + to, box.y + 30, { steps: 4 });
      await page.mouse.up();
      const range = dialog.getByRole('status', { name: 'Selected range' });
      const [, count = ''] = /· (\d+) processes/.exec((await range.textContent()) ?? '') ?? [];
      expect(Number(count)).toBeGreaterThan(5);
      await expect(rows).toHaveCount(Number(count));
      await range.getByRole('button', { name: 'Zoom to range' }).click();
      await expect(range).toHaveCount(0);
      await expect.poll(() => rows.count()).toBeLessThan(Number(count) + 5);
      await page.screenshot({ path: test.info().outputPath('range.png') });
      await timeline.getByRole('button', { name: 'Show all listed processes' }).click();
      await dialog.getByRole('button', { name: 'Last 10m' }).click();
    });

    await test.step('all commands are read when the view is zoomed out', async () => {
      await lanes.focus();
      for (let count = 0; count < 12; count += 1) await page.keyboard.press('-');
      await expect(dialog.getByRole('status').last()).toHaveText(/10,001 processes/);
      const failed = (of: (each: Past) => boolean) =>
        past.filter((each) => of(each) && each.exitCode !== 0).length;
      const codex = failed(({ clientName, thread }) => clientName === 'codex' && thread === 0);
      await expect(timeline).toContainText(`${codex} failed`);
    });

    await test.step('keys move from process to process, and open one', async () => {
      await page.keyboard.press('0');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('End');
      await expect(timeline.getByRole('status')).toHaveText(/, started \d\d:\d\d:\d\d, took /);
      const before = await timeline.getByRole('status').textContent();
      await page.keyboard.press('ArrowLeft');
      await expect(timeline.getByRole('status')).not.toHaveText(before ?? '');
      await drawn(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('region', { name: /npm test|cargo|git|rg|make/ })).toBeVisible();
    });

    await test.step('a link to a moment opens the replay of a process of an earlier gateway', async () => {
      const link = new URL(page.url());
      link.hash = `#${real}:T600000`;
      await page.goto(link.href);
      await expect(page.locator('.replay')).toHaveAttribute('data-replay-state', 'paused');
      await expect
        .poll(() =>
          page.evaluate((key) => window.execConsole.replayScreen(key)?.lines.join('\n').trim(), real),
        )
        .toBe('built');
    });

    await test.step('a bar has the colour of its outcome at its place', async () => {
      await page.getByRole('button', { name: 'History' }).click();
      await dialog.getByRole('button', { name: 'Last 10m' }).click();
      await expect(rows.first()).toBeVisible();
      const ok = await dialog.evaluate((element) => {
        const probe = document.createElement('i');
        probe.style.color = 'var(--ok)';
        element.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
      await expect.poll(() => firstRow(page)).toContain(ok);
    });
  } finally {
    await next.stop();
  }
});

test('on a phone one finger moves the timeline, two fingers zoom, and a tap opens a process', async ({
  browser,
}) => {
  const first = await Gateway.start({ flags: ['--approvals', 'never'] });
  await withHistory(first, pastOf(60, { nowMs: Date.now() - MINUTE, everyMs: 12_000 }));
  const next = await first.startAgain();
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const console = new ConsolePage(page);
    await page.goto(await next.freshLink('admin'));
    await console.isOnline();
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    const rows = dialog.locator('button.history-row');
    await expect(rows).toHaveCount(61);
    const box = await page.locator('.timeline-canvas').boundingBox();
    if (!box) throw new Error('the timeline is not drawn');
    const y = box.y + 30;
    const bar = await barPlace(page);
    await page.touchscreen.tap(box.x + bar.x, box.y + bar.y);
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'History' }).click();
    await expect(rows).toHaveCount(61);
    const touch = await context.newCDPSession(page);
    const fingers = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) => {
      const touchPoints = shares.map((share, id) => ({ id, x: box.x + share * box.width, y }));
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await fingers('touchStart', 0.4, 0.6);
    for (const by of [0.05, 0.1, 0.2, 0.3]) await fingers('touchMove', 0.4 - by, 0.6 + by);
    await fingers('touchEnd');
    await expect.poll(() => rows.count()).toBeLessThan(30);
    const clock = () => rows.first().locator('.history-clock').textContent();
    const before = (await clock()) ?? '';
    await fingers('touchStart', 0.2);
    for (const share of [0.4, 0.6, 0.8]) await fingers('touchMove', share);
    await fingers('touchEnd');
    await expect.poll(async () => ((await clock()) ?? '') < before).toBe(true);
    await expectAccessible(page);
  } finally {
    await context.close();
    await next.stop();
  }
});
