// Processes that outlive their agent: listed, and terminated unless a person pins them.
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, SOON_WAITING, test } from './fixtures.ts';

test.use({ limits: { sessionTtlMs: 8000 } });

test('[SE4][SE10] a process that outlives its agent is listed with the time until its termination, and keeps running only if a person pins it', async ({
  agent,
  gateway,
  console,
}) => {
  const there = await gateway.agent();
  const other = await there.start(['sleep', '1002']);
  const dev = await agent.start(['sleep', '1000']);
  const tests = await agent.start(['sleep', '1001']);
  const chips = console.page.getByRole('group', { name: 'Filter by' });
  await expect(chips.getByRole('button', { name: 'Running 3' })).toBeVisible();
  await expect(chips.getByRole('button', { name: /Agent disconnected/ })).toBeHidden();

  await agent.cut();
  await chips.getByRole('button', { name: 'Agent disconnected 2' }).click();
  await expect(console.row(other.key)).toBeHidden();
  await expect(console.row(dev.key)).toContainText(/ends in \d+s/);
  await expect(console.row(tests.key)).toContainText(/ends in \d+s/);
  await expectAccessible(console.page);

  await console.row(dev.key).getByRole('button', { name: 'Keep' }).click();
  await expect(console.row(dev.key)).toContainText('kept');
  await expect(console.row(dev.key)).not.toContainText('ends in');
  await expect(console.pane(dev.key)).toBeHidden();

  await expect(chips.getByRole('button', { name: 'Agent disconnected 1' })).toBeVisible();
  await expect(console.row(tests.key)).toBeHidden();
  await chips.getByRole('button', { name: 'Agent disconnected 1' }).click();
  await expect(console.row(tests.key)).toHaveAttribute('data-process-status', 'stopped');
  await expect(console.row(tests.key)).toContainText('ended with its session');
  await expect(console.row(dev.key)).toHaveAttribute('data-process-status', 'running');
  await expect(console.row(other.key)).toHaveAttribute('data-process-status', 'running');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a tap on the row of a process without its agent opens it, and the pane can keep it running', async ({
    agent,
    console,
  }) => {
    const { key } = await agent.start(['sleep', '1000'], { tty: true });
    await agent.cut();
    await expect(console.row(key)).toContainText(/ends in \d+s/);
    await console.row(key).tap();
    const keep = console.pane(key).getByRole('button', { name: 'Keep' });
    expect((await keep.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await keep.tap();
    await expect(console.pane(key)).toContainText('kept');
  });
});

test.describe('with the time that agents usually have to return', () => {
  test.use({ limits: SOON_WAITING });

  test('the heading and the rows of a disconnected agent fit the list, and the heading shows its whole name', async ({
    agent,
    console,
  }) => {
    const waiting = await agent.start(['cat'], { tty: true });
    const running = await agent.start(['sleep', '1000']);
    await expect(console.row(waiting.key)).toContainText('waiting for input');
    await agent.cut();
    const heading = console.page.locator('.process-group-title').filter({ hasText: 'disconnected' });
    const fits = (of: Locator): Promise<boolean> =>
      of.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    await expect(heading).toContainText(/ends in 1m \d+s/);
    await expect(console.row(running.key)).toContainText(/ends in 1m \d+s/);
    expect(await fits(heading.locator('.process-group-name > span'))).toBe(true);
    expect(await fits(heading.getByRole('gridcell'))).toBe(true);
    for (const { key } of [waiting, running])
      expect(await fits(console.row(key).locator('.process-row-details'))).toBe(true);
  });
});
