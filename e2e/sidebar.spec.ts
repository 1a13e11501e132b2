// Width of the list: changed by mouse and by keyboard, and unchanged after a reload.
import { expect, test } from './fixtures.ts';

test('the list is widened by keyboard and mouse, keeps its width across a reload, and leaves enough room for the panes', async ({
  agent,
  console,
}) => {
  await test.step('the list is widened by keyboard and mouse, and keeps its width across a reload', async () => {
    const { page } = console;
    const long = ['/bin/sh', '-c', `exit 0; ${'x'.repeat(300)}`];
    await agent.start(long);
    const edge = page.getByRole('separator', { name: 'Width of the list' });
    const list = page.locator('.sidebar');
    const width = async (): Promise<number> => Math.round((await list.boundingBox())?.width ?? 0);
    const usual = await width();
    await expect(edge).toHaveAttribute('aria-valuenow', String(usual));

    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await expect(edge).toHaveAttribute('aria-valuenow', String(usual + 16));
    expect(await width()).toBe(usual + 16);
    await page.keyboard.press('Home');
    expect(await width()).toBe(Number(await edge.getAttribute('aria-valuemin')));

    const box = await edge.boundingBox();
    if (!box) throw new Error('the edge is not visible');
    await page.mouse.move(box.x + box.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(500, 320, { steps: 4 });
    await page.mouse.up();
    expect(await width()).toBe(500);
    await page.reload();
    await console.isOnline();
    expect(await width()).toBe(500);
    await edge.dblclick();
    expect(await width()).toBe(usual);
  });
  await test.step('the list leaves enough room for the panes, and has no resize handle on a phone', async () => {
    const { page } = console;
    const edge = page.getByRole('separator', { name: 'Width of the list' });
    await edge.focus();
    await page.keyboard.press('End');
    await page.setViewportSize({ width: 800, height: 600 });
    expect((await page.locator('.stage').boundingBox())?.width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(edge).toBeHidden();
    expect((await page.locator('.sidebar').boundingBox())?.width).toBe(390);
  });
});
