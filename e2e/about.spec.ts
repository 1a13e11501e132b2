// The dialog “About this process” and restarts, from the pane's menu and the row; distinguishable tabs.
import { expect, expectAccessible, SOON_WAITING, test } from './fixtures.ts';

test('tabs of one program have different titles, and a menu lists the tabs that do not fit', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const keys = [];
  for (const seconds of ['1001', '1001', '1002']) {
    const { key } = await agent.start(['/bin/sleep', seconds]);
    keys.push(key);
    await console.open(key);
  }
  await expect(page.getByRole('tab')).toHaveText([
    /^sleep 1001PID \d+$/,
    /^sleep 1001PID \d+$/,
    /^sleep 1002$/,
  ]);
  const more = page.getByRole('button', { name: 'All tabs' });
  await expect(more).toBeHidden();
  for (let count = 0; count < 9; count += 1) {
    await console.open((await agent.start(['/bin/sleep', `${2000 + count}`])).key);
  }
  await more.click();
  const menu = page.getByRole('menu', { name: 'All tabs' });
  await expect(menu.getByRole('menuitemradio')).toHaveCount(12);
  await expect(menu.getByRole('menuitemradio', { name: /sleep 2008/ })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(menu).toBeHidden();
  await expect(console.pane(keys[0] ?? '')).toBeVisible();
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/^sleep 1001PID/);
});

test('a process restarts with the same settings, and About shows and copies its facts', async ({
  agent,
  console,
  context,
}) => {
  await test.step('an ended process restarts from its pane with the same settings, and from its row in another tab', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo $GREETING; read x; exit 3'], {
      tty: true,
      env: { GREETING: 'good morning', PATH: '/usr/bin:/bin' },
    });
    const pane = await console.open(key);
    const again = pane.getByRole('button', { name: 'Restart' });
    await console.shows(key, 'good morning');
    await expect(again).toBeHidden();
    await agent.write({ processId }, 'x\n');
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'failed');
    await again.click();
    await expect(page.getByRole('tab')).toHaveCount(2);
    const second = await page.locator('.pane:visible').getAttribute('data-process-key');
    expect(second).not.toBe(key);
    await console.shows(second ?? '', 'good morning');
    await expect(page.locator('.pane:visible textarea')).toBeFocused();
    await console.row(key).focus();
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    await expect(page.getByRole('tab')).toHaveCount(3);
  });
  await test.step('About shows and copies the facts that a pane has no room for, by mouse and by keys', async () => {
    const { page } = console;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { key } = await agent.start(['/bin/sleep', '1001'], {
      tty: true,
      metadata: { threadId: 'checkout' },
    });
    await console.open(key);
    await console.pane(key).getByRole('button', { name: 'More' }).click();
    await console
      .pane(key)
      .getByRole('menuitem', { name: /^About this process/ })
      .click();
    const about = page.getByRole('dialog', { name: 'About /bin/sleep 1001' });
    await expect(about).toContainText('PID');
    await expect(about).toContainText('checkout');
    await expect(about).toContainText('a terminal, 80×24');
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expectAccessible(page);
    }
    await about.getByRole('button', { name: 'Copy command' }).click();
    await expect(about.getByRole('status', { name: 'Done' })).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('/bin/sleep 1001');
    await about.getByRole('button', { name: 'Copy all' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('Thread: checkout');
    await page.keyboard.press('Escape');
    await expect(about).toBeHidden();

    await console.row(key).focus();
    await expect(console.row(key)).toBeFocused();
    await page.keyboard.press('a');
    await expect(about).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, limits: SOON_WAITING });

  test('the header of a pane never cuts off "waiting for input"', async ({ agent, console }) => {
    const { key } = await agent.start(['/bin/sh', '-c', 'printf "name? "; read x'], { tty: true });
    await console.row(key).tap();
    const word = console.pane(key).locator('.status-word');
    await expect(word).toHaveText('waiting for input');
    expect(await word.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });
});
