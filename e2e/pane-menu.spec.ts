// A pane's menu by mouse and keys, the phone's switcher, and announcements for screen readers.
import { expect, expectAccessible, sh, test } from './fixtures.ts';

test('a pane’s menu offers the available commands, and runs them for that pane', async ({
  agent,
  console,
}) => {
  await test.step('a page whose list is hidden reports each ended process once, with its result', async () => {
    const announcer = console.page.locator('[data-announcer]');
    const { key, processId } = await agent.start(sh('read x; exit 3 # build'), { pipeStdin: true });
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
    await expect(announcer).toHaveText('');
    await agent.write({ processId }, 'go\n');
    await expect(announcer).toHaveText('read x; exit 3 # build: failed · exit 3');
  });
  await test.step("a pane's menu ends with Terminate, and offers Resume only for a suspended process", async () => {
    const { key } = await agent.start(['/bin/sleep', '1001'], { tty: true });
    const pane = await console.open(key);
    const more = pane.getByRole('button', { name: 'More' });
    const item = (name: RegExp) => pane.getByRole('menuitem', { name });
    await more.click();
    await expect(pane.getByRole('menuitem').last()).toHaveText(/^Kill/);
    await expect(item(/^Resume/)).toHaveCount(0);
    await item(/^Suspend/).click();
    await expect(async () => {
      await more.click();
      await expect(item(/^Resume/)).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(item(/^Suspend/)).toHaveCount(0);
    await item(/^Resume/).click();
    await expect(async () => {
      await more.click();
      await expect(item(/^Suspend/)).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(item(/^Resume/)).toHaveCount(0);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'running');
  });
  await test.step('the menu of a pane runs the commands of the table for that pane', async () => {
    const { page } = console;
    const one = await agent.start(['/bin/sleep', '1001'], { tty: true });
    const two = await agent.start(['/bin/sleep', '1002'], { tty: true });
    await console.open(one.key);
    await console.open(two.key);
    const more = console.pane(two.key).getByRole('button', { name: 'More' });
    const menu = console.pane(two.key).getByRole('menu', { name: 'More' });
    await more.click();
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    // Actions on the process come last, mildest first; unavailable ones, such as Resume, are missing.
    const last = (await menu.getByRole('menuitem').allTextContents()).slice(-6);
    expect(last.map((name) => name.replace(/[ (,].*/, ''))).toEqual([
      'Suspend',
      'Hang',
      'Quit',
      'Terminate',
      'Restart',
      'Kill',
    ]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(more).toBeFocused();

    await page.keyboard.press('Control+Alt+Shift+ArrowRight');
    await expect(console.pane(one.key)).toBeVisible();
    await console.pane(one.key).getByRole('button', { name: 'More' }).click();
    await console
      .pane(one.key)
      .getByRole('menuitem', { name: /^Interrupt/ })
      .click();
    await expect(console.row(one.key)).toHaveAttribute('data-process-status', 'stopped');
    await expect(console.row(two.key)).toHaveAttribute('data-process-status', 'running');
    await expect(console.pane(one.key)).toBeFocused();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a switcher cycles through the open processes, with buttons large enough for touch and confirmations without keys', async ({
    agent,
    console,
  }) => {
    await test.step('the confirmation after a touch shows no keys', async () => {
      const { key } = await agent.start(sh('echo there; exec sleep 1000'), { tty: true });
      const pane = await console.open(key);
      await expect(pane).toContainText('there');
      await pane.getByRole('button', { name: 'Terminate' }).tap();
      await expect(pane.getByText('everything ended', { exact: true })).toBeVisible();
      // The focus would move in the next frame.
      await console.page.evaluate(async () => {
        for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
      });
      await expect(pane.locator('textarea')).not.toBeFocused();
    });
    await console.closePanes();
    await test.step('a switcher cycles through the open processes, with buttons large enough for touch', async () => {
      const { page } = console;
      const one = await agent.start(sh('echo first; cat'), { tty: true });
      const two = await agent.start(sh('echo second; cat'), { tty: true });
      await console.row(one.key).tap();
      await page.getByRole('button', { name: 'Back to the list' }).tap();
      await console.row(two.key).tap();
      await expect(console.pane(two.key)).toBeVisible();
      const switcher = page.getByRole('combobox', { name: 'Open processes, 2 of 2' });
      await switcher.selectOption({ index: 0 });
      await expect(console.pane(one.key)).toBeVisible();
      await expect(console.pane(two.key)).toBeHidden();
      await expect(page.getByRole('tab')).toHaveCount(0);
      for (const name of ['More', 'Close tab', 'Interrupt', 'Terminate']) {
        const box = await console.pane(one.key).getByRole('button', { name }).boundingBox();
        expect(box?.height, name).toBeGreaterThanOrEqual(40);
        expect(box?.width, name).toBeGreaterThanOrEqual(40);
      }
      await expectAccessible(page);
      await console.pane(one.key).getByRole('button', { name: 'Close tab' }).tap();
      await expect(console.pane(two.key)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    });
  });
});
