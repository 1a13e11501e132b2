// Clicks in a place where another button has replaced the pressed or intended one.
import type { Locator } from '@playwright/test';
import type { TestClient } from '../server/testing/test-client.ts';
import { expect, test, type ConsolePage } from './fixtures.ts';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function boxOf(element: Locator): Promise<Box> {
  await expect(element).toBeVisible();
  const box = await element.boundingBox();
  if (!box) throw new Error('invariant violation: a visible element has no box');
  return { left: box.x, right: box.x + box.width, y: box.y + box.height / 2 };
}

/** Starts and opens a process; resolves with its key, and a point on both the button `step` and the later Restart. */
async function placeOfBoth(
  agent: TestClient,
  console: ConsolePage,
  step: string,
): Promise<{ readonly key: string; readonly point: Point }> {
  const over = await agent.start(['true']);
  const ended = await console.open(over.key);
  const restart = await boxOf(ended.getByRole('button', { name: 'Restart' }));
  const { key } = await agent.start(['sleep', '1000']);
  const pane = await console.open(key);
  const ends = await boxOf(pane.getByRole('button', { name: step }));
  const [left, right] = [Math.max(ends.left, restart.left), Math.min(ends.right, restart.right)];
  expect(right, 'Restart takes a place of the button').toBeGreaterThan(left);
  return { key, point: { x: (left + right) / 2, y: ends.y } };
}

const count = (console: ConsolePage): Promise<number> =>
  console.page.evaluate(() => window.execConsole.processes().length);

const press = ({ page }: ConsolePage, { x, y }: Point): Promise<void> => page.mouse.click(x, y);

test('Restart ignores clicks that were meant for the button in its place', async ({ agent, console }) => {
  const { page } = console;
  for (const step of ['Interrupt', 'Terminate'])
    await test.step(`clicks that repeat one on ${step}, until the pointer has left or a second has passed`, async () => {
      const { key, point } = await placeOfBoth(agent, console, step);
      const now = Date.now();
      await page.clock.setFixedTime(now);
      const before = await count(console);
      await press(console, point);
      const restart = console.pane(key).getByRole('button', { name: 'Restart' });
      await expect(restart).toBeVisible();
      await press(console, point);
      await press(console, point);
      // A process started by the clicks would be listed before this one.
      const other = await agent.start(['sleep', '1000']);
      await expect(console.row(other.key)).toBeVisible();
      expect(await count(console)).toBe(before + 1);

      if (step === 'Interrupt') await page.mouse.move(point.x, point.y + 200);
      else await page.clock.setFixedTime(now + 1000);
      await press(console, point);
      await expect.poll(() => count(console)).toBe(before + 2);
      await page.clock.resume();
    });
  await test.step('a click that was meant for Terminate when the process ends at that moment starts nothing', async () => {
    const { key, point } = await placeOfBoth(agent, console, 'Terminate');
    await page.mouse.move(point.x, point.y);
    const now = Date.now();
    await page.clock.setFixedTime(now);
    const before = await count(console);
    await agent.request('process/terminate', { key });
    await expect(console.pane(key).getByRole('button', { name: 'Restart' })).toBeVisible();
    await press(console, point);
    const other = await agent.start(['sleep', '1000']);
    await expect(console.row(other.key)).toBeVisible();
    expect(await count(console)).toBe(before + 1);

    await page.clock.setFixedTime(now + 1000);
    await press(console, point);
    await expect.poll(() => count(console)).toBe(before + 2);
  });
});

test('repeated clicks in one place close tab after tab', async ({ agent, console }) => {
  for (const each of ['one', 'two', 'three', 'four']) {
    const { key } = await agent.start(['sh', '-c', `echo ${each}; exec sleep 1000`]);
    await console.open(key);
  }
  const tabs = console.page.getByRole('tab');
  await expect(tabs).toHaveCount(4);
  const { left, right, y } = await boxOf(console.page.getByRole('button', { name: 'Close tab' }));
  for (const rest of [3, 2, 1]) {
    await press(console, { x: (left + right) / 2, y });
    await expect(tabs).toHaveCount(rest);
  }
});
