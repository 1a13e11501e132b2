// The page on a phone: one view at a time, readable letters, and no effect on the process.
import { expect, test } from './fixtures.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const sh = (script: string): string[] => ['/bin/sh', '-c', script];

test('a phone shows one view at a time, in readable letters, and resizes no process', async ({
  agent,
  console,
}) => {
  await test.step('the page on a phone leads from the list to a pane and back, with targets large enough for touch', async () => {
    const { key } = await agent.start(sh('echo here; read x'), { tty: true });
    await expect(console.pane(key)).toBeHidden();
    await console.row(key).tap();
    await expect(console.pane(key)).toBeVisible();
    await expect(console.row(key)).toBeHidden();
    for (const button of await console.pane(key).getByRole('button').all()) {
      if (!(await button.isVisible())) continue;
      const box = await button.boundingBox();
      expect(box?.height, (await button.getAttribute('aria-label')) ?? '').toBeGreaterThanOrEqual(24);
    }
    await console.page.getByRole('button', { name: 'Back to the list' }).tap();
    await expect(console.row(key)).toBeVisible();
  });
  await test.step('buttons and a pinch change the size of the letters, and not of the process', async () => {
    const { key } = await agent.start(sh('echo here; read x'), { tty: true });
    await console.row(key).tap();
    const pane = console.pane(key);
    await console.shows(key, 'here');
    const { page } = console;
    const height = async (): Promise<number> =>
      (await pane.locator('.xterm-rows > div').first().boundingBox())?.height ?? 0;
    await expect(pane.locator('.terminal-host')).toHaveClass(/scaled/);
    const fitting = await height();
    await pane.getByRole('button', { name: 'Increase text size' }).tap();
    await expect.poll(height).toBeGreaterThan(fitting);
    await pane.getByRole('button', { name: 'Decrease text size' }).tap();
    await expect.poll(height).toBe(fitting);
    const touches = await page.context().newCDPSession(page);
    const move = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number | null) =>
      touches.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          apart === null
            ? []
            : [
                { x: 195 - apart, y: 300, id: 1 },
                { x: 195 + apart, y: 300, id: 2 },
              ],
      });
    await move('touchStart', 40);
    for (const apart of [50, 60, 80]) await move('touchMove', apart);
    await move('touchEnd', null);
    await expect.poll(height).toBeGreaterThan(fitting * 1.4);
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
    expect(await console.screen(key)).toMatchObject({ rows: 24, cols: 80 });
  });
  await test.step('the on-screen keyboard does not resize the process', async () => {
    const { key } = await agent.start(sh('echo here; read x'), { tty: true });
    await console.page.getByRole('button', { name: 'Back to the list' }).tap();
    await console.row(key).tap();
    const { page } = console;
    const first = { rows: 24, cols: 80 };
    await console.pane(key).getByRole('button', { name: 'Take control' }).tap();
    const controlled = await console.sizeOtherThan(key, first);
    const content = await page.locator('meta[name="viewport"]').getAttribute('content');
    // The setting makes the keyboard shrink only the visual viewport: the layout stays, and the page can measure
    // the covered height.
    expect(content).toContain('interactive-widget=resizes-visual');
    await console.pane(key).locator('.xterm').tap();
    await expect(console.pane(key).locator('textarea')).toBeFocused();
    expect((await console.screen(key)).rows).toBe(controlled.rows);
  });
  await test.step('a link to a line shows the pane with that line, and not the list', async () => {
    const { key } = await agent.start(sh('seq -f "line %g" 1 200; sleep 1000'));
    await console.page.getByRole('button', { name: 'Back to the list' }).tap();
    await expect(console.row(key)).toBeVisible();
    await console.page.evaluate((hash) => (location.hash = hash), `${key}:B7`);
    await expect(console.pane(key)).toBeVisible();
    await expect(console.page.locator('.log-row.target')).toContainText('line 2');
  });
});
