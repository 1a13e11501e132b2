// Settings: applied immediately in all open panes, stored for the next page, and without effect on processes.
import type { Locator, Page } from '@playwright/test';
import { ConsolePage, expect, sh, test } from './fixtures.ts';

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('settings apply at once, are stored, and are reachable in a small window', async ({
  agent,
  console,
}) => {
  await test.step('font, size and cursor apply at once to an open pane, are stored, and resize no process', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(sh('echo ready; exec cat'), { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    const before = await console.received(key);
    const rows = pane.locator('.xterm-rows');
    const dialog = await openSettings(page);
    const fontSize = dialog.getByLabel('Font size');
    // A terminal smaller than its pane is enlarged to at most 16 px, unless a larger font is set.
    await fontSize.fill('10');
    await fontSize.press('Enter');
    await dialog.getByLabel('Font', { exact: true }).fill('DejaVu Sans Mono');
    await dialog.getByRole('radio', { name: 'Bar' }).check();
    await expect(rows).toHaveCSS('font-size', '16px');
    await expect(rows).toHaveCSS('font-family', /^"DejaVu Sans Mono"/);
    await fontSize.fill('');
    await page.keyboard.type('18');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await pane.locator('.xterm').click();
    await expect(pane.locator('.xterm-cursor-bar')).toHaveCount(1);
    await page.reload();
    await console.isOnline();
    await console.shows(key, 'ready');
    await expect(rows).toHaveCSS('font-size', '18px');
    const again = await openSettings(page);
    await expect(again.getByRole('radio', { name: 'Bar' })).toBeChecked();
    await again.getByRole('button', { name: 'Reset appearance and sound' }).click();
    await expect(rows).toHaveCSS('font-size', '16px');
    await page.keyboard.press('Escape');
    await expect(again).toBeHidden();

    expect(await console.received(key)).toEqual(before);
    const info = await page.evaluate(
      (k) => window.execConsole.processes().find((process) => process.key === k),
      key,
    );
    expect(info?.size).toEqual({ rows: 24, cols: 80 });
    await agent.write({ processId }, 'still there\n');
    await console.shows(key, 'still there');
  });
  await test.step('the scrollback has the chosen length', async () => {
    const { page } = console;
    const { key } = await agent.start(sh('seq 1 3000; sleep 1000'), { tty: true });
    await console.open(key);
    await console.shows(key, /\n3000\n/);
    expect(await console.text(key)).toContain('\n5\n');
    const dialog = await openSettings(page);
    const scrollback = dialog.getByLabel('Scrollback');
    await scrollback.fill('');
    // The value is 2 while 20000 is being typed.
    await page.keyboard.type('20000');
    await page.keyboard.press('Enter');
    expect(await console.text(key)).toContain('\n5\n');
    await scrollback.fill('100');
    await scrollback.press('Enter');
    await expect.poll(async () => (await console.text(key)).split('\n').length).toBeLessThan(130);
    expect(await console.text(key)).toContain('\n3000\n');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
  await test.step('the settings dialog in a small window keeps its buttons visible while it scrolls', async () => {
    const { page } = console;
    await page.setViewportSize({ width: 1024, height: 700 });
    const dialog = await openSettings(page);
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 });
    await dialog.locator('.settings-sample').scrollIntoViewIfNeeded();
    await expect(dialog.locator('.settings-sample')).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 });
  });
});

test('the bell is visible, audible or off, and never repeats for replayed output', async ({
  agent,
  page,
  gateway,
}) => {
  await page.addInitScript(() => {
    const rung: string[] = [];
    Object.assign(window, { rung });
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...args) {
      rung.push('seen');
      return animate.apply(this, args);
    };
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when) {
      rung.push('heard');
      start.call(this, when);
    };
  });
  const console = await ConsolePage.of(page, gateway);
  const rung = (): Promise<string[]> => page.evaluate(() => (window as unknown as { rung: string[] }).rung);
  const { key, processId } = await agent.start(
    sh(String.raw`stty -echo; printf 'before \a\n'; while read x; do printf "$x \a\n"; done`),
    { tty: true },
  );
  await console.open(key);
  await console.shows(key, 'before');
  const ring = async (name: string): Promise<void> => {
    await agent.write({ processId }, `${name}\n`);
    await console.shows(key, new RegExp(`${name}\\s`));
  };
  await ring('one');
  await expect.poll(rung).toEqual(['seen']);
  const choose = async (bell: string): Promise<void> => {
    const dialog = await openSettings(page);
    await dialog.getByRole('radio', { name: bell }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();
  };
  await choose('Sound');
  await ring('two');
  await expect.poll(rung).toEqual(['seen', 'heard']);
  await choose('Off');
  await ring('three');
  expect(await rung()).toEqual(['seen', 'heard']);
});

test('the page works without browser storage, and remembers until it is closed', async ({
  agent,
  gateway,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('The request was denied', 'SecurityError');
      },
    });
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  const { key } = await agent.start(['/bin/cat'], { tty: true });
  const console = await ConsolePage.of(page, gateway);
  await console.open(key);
  await page.getByRole('button', { name: 'Light theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  for (const _ of ['once', 'and again']) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('layouts');
    await page.keyboard.press('Enter');
    await page.getByLabel('Save the open panes as').fill('dev');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Load dev' })).toBeVisible();
    await page.keyboard.press('Escape');
  }
});
