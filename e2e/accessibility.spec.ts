// Accessibility of the page: names, roles and contrast in both themes, on desktop and phone.
import { axeFindings } from './axe.ts';
import { expect, SOON_WAITING, test } from './fixtures.ts';

test('axe finds nothing, in either theme', async ({ agent, console }) => {
  const { page } = console;
  const findings = async (): Promise<string[][]> => {
    const found = [];
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      found.push(await axeFindings(page));
    }
    return found;
  };
  const nothing = [[], []];
  expect(await findings()).toEqual(nothing);

  const shell = await agent.start(['/bin/cat'], { tty: true });
  const failed = await agent.start(['/bin/sh', '-c', 'echo oops >&2; exit 3']);
  await console.open(shell.key);
  await console.open(failed.key);
  await expect(console.row(failed.key)).toHaveAttribute('data-process-status', 'failed');
  expect(await findings()).toEqual(nothing);

  await page.getByRole('button', { name: 'New process' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findings()).toEqual(nothing);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Search in all output' }).click();
  await page.keyboard.type('oops');
  await expect(page.getByRole('dialog').locator('mark')).toHaveText('oops');
  expect(await findings()).toEqual(nothing);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  expect(await findings()).toEqual(nothing);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Busiest first' }).click();
  await expect(console.row(shell.key)).toContainText(/CPU \d+%/);
  expect(await findings()).toEqual(nothing);
  await page.getByRole('button', { name: 'Busiest first' }).click();

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findings()).toEqual(nothing);

  // Proves that axe runs: a missing axe would report no findings either.
  await page.evaluate(() => {
    const words = document.createElement('b');
    words.textContent = 'words';
    words.style.cssText = 'position: fixed; inset: 0; z-index: 99; color: #888; background: #999';
    document.querySelector('main')?.append(document.createElement('button'), words);
  });
  const both = [expect.stringMatching(/^button-name: /), expect.stringMatching(/^color-contrast: /)];
  expect(await findings()).toEqual([both, both]);
});

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('the page leads to every process by keyboard, and back on a phone', async ({ agent, console }) => {
    await test.step('the keyboard reaches everything: from the list into a process, and to another one', async () => {
      const { page } = console;
      const one = await agent.start(['/bin/cat'], { tty: true });
      await expect(console.row(one.key)).toContainText('waiting for input');
      await console.row(one.key).focus();
      await page.keyboard.press('Enter');
      await expect(console.pane(one.key)).toBeVisible();
      await page.keyboard.type('typed\n');
      await agent.waitOutput(one.processId, 'typed\r\ntyped\r\n');
    });
    await test.step("the page on a phone leads from the list to a process and back, and fits the screen's width", async () => {
      const { page } = console;
      const { key } = await agent.start(['/bin/sh', '-c', `echo ${'long '.repeat(40)}; cat`], { tty: true });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await console.open(key);
      await console.shows(key, 'long long');
      await expect(console.row(key)).toBeHidden();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await expect(console.row(key)).toBeVisible();
      await expect(console.pane(key)).toBeHidden();
    });
  });
});
