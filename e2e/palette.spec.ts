// The palette and the help: a few letters find the available commands, most recently used first.
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

test('a few letters find a process or a command, and the last used comes first', async ({
  agent,
  console,
}) => {
  const { page } = console;
  await page.emulateMedia({ colorScheme: 'dark' });
  const build = await agent.start(['/bin/sh', '-c', 'cat # cargo build'], { tty: true });
  const dev = await agent.start(['/bin/sh', '-c', 'cat # npm run dev'], { tty: true });
  await expect(console.row(dev.key)).toBeVisible();
  await console.open(build.key);
  await console.leaveTerminal(build.key);
  await page.keyboard.press('Control+Shift+P');
  const palette = page.getByRole('dialog', { name: 'Commands and processes' });
  const field = palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.type('npmdev');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(console.pane(dev.key)).toBeVisible();
  await console.type(dev.key, 'typed\n');
  await agent.waitOutput(dev.processId, 'typed\r\ntyped\r\n');

  await console.leaveTerminal(dev.key);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('light');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(console.pane(dev.key)).toBeFocused();

  await page.getByRole('button', { name: 'Commands' }).click();
  // The theme is light, so only the dark one is offered.
  await expect(palette.getByRole('option', { name: /^Dark theme/ })).toHaveCount(1);
  await expect(palette.getByRole('option', { name: /^Light theme/ })).toHaveCount(0);
  await page.keyboard.type('dark th');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Shift+P');
  await expect(palette.getByRole('option').first()).toContainText('Light theme');
  await page.keyboard.type('qqqq');
  await expect(palette).toContainText('Nothing matches');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('button', { name: 'Commands' })).toBeFocused();
});

test('the palette and the help keep keys, clicks and focus, and are accessible', async ({
  agent,
  console,
}) => {
  await test.step('axe finds nothing in the palette', async () => {
    const { page } = console;
    const { key } = await agent.start(['/bin/sh', '-c', 'exit 3']);
    await expect(console.row(key)).toHaveAttribute('data-process-status', 'failed');
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.keyboard.press('Control+Shift+P');
      await page.getByRole('dialog').getByRole('combobox').fill('e');
      await expectAccessible(page);
      await page.keyboard.press('Escape');
    }
  });
  await test.step('the palette scrolls to items below its visible part, and Up on the first item selects the last', async () => {
    const { page } = console;
    const { key } = await agent.start(['/bin/cat'], { tty: true });
    await console.open(key);
    await console.leaveTerminal(key);
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.press('ArrowUp');
    const options = page.getByRole('dialog').getByRole('option');
    const chosen = page.getByRole('dialog').locator('[role="option"][aria-selected="true"]');
    await expect(chosen).toBeInViewport();
    await expect(options.last()).toHaveAttribute('aria-selected', 'true');
    // More options than fit must exist, so that scrolling has an effect.
    expect(await options.count()).toBeGreaterThan(20);
    await page.keyboard.press('ArrowDown');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    await expect(options.first()).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('the keyboard help lists every key of the command table, and opens from a pane and from the list', async () => {
    const { page } = console;
    const { key } = await agent.start(['/bin/cat'], { tty: true });
    await console.open(key);
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await console.leaveTerminal(key);
    await page.keyboard.press('F1');
    await expect(help).toBeVisible();
    await expect(help).toContainText('Maximize this pane');
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expectAccessible(page);
    }
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    // A terminal sends the key to its program.
    await console.type(key, '?\n');
    await console.shows(key, '?\n?');
    for (const _ of ['to the page', 'to the list']) await page.keyboard.press('Control+Shift+L');
    await expect(console.row(key)).toBeFocused();
    await page.keyboard.press('?');
    await expect(help).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });
  await test.step('a dialog that is requested again while it closes is open afterwards', async () => {
    const { page } = console;
    for (const [button, name] of [
      ['Commands', 'Commands and processes'],
      ['Search in all output', 'Search in all output'],
    ] as const) {
      const dialog = page.getByRole('dialog', { name });
      const opener = await page.getByRole('button', { name: button }).elementHandle();
      await opener?.click();
      await expect(dialog).toBeVisible();
      // Reopens the dialog before the browser's close event, and waits for the event and a frame.
      await dialog.evaluate(async (layer, again) => {
        const isReported = new Promise((resolve) => {
          for (const event of ['toggle', 'close']) layer.addEventListener(event, resolve, { once: true });
        });
        if (layer instanceof HTMLDialogElement) layer.close();
        else (layer as HTMLElement).hidePopover();
        (again as HTMLElement | null)?.click();
        await isReported;
        await new Promise(requestAnimationFrame);
      }, opener);
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
  });
  await test.step('an open palette takes all keys and clicks, and a click beside it closes it', async () => {
    const { page } = console;
    const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
    await console.open(key);
    await console.type(key, 'before\n');
    await agent.waitOutput(processId, 'before\r\nbefore\r\n');
    await console.leaveTerminal(key);
    await page.keyboard.press('Control+Shift+P');
    const palette = page.getByRole('dialog', { name: 'Commands and processes' });
    const field = palette.getByRole('combobox');
    await expect(field).toBeFocused();
    await expect(palette).toHaveAttribute('aria-modal', 'true');
    for (const stroke of ['Tab', 'Shift+Tab']) {
      await page.keyboard.press(stroke);
      await expect(field).toBeFocused();
    }
    // A script that opens a pane does not move the focus away from a person who is typing.
    await page.evaluate((of) => window.execConsole.open(of), key);
    await page.keyboard.type('zzz');
    await expect(field).toHaveValue('zzz');
    await palette.getByText('Nothing matches').click();
    await page.keyboard.type('z');
    await expect(field).toHaveValue('zzzz');
    // A press that started in the field only selects text.
    const { x, y } = await centreOf(field);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, (page.viewportSize()?.height ?? 0) - 10);
    await page.mouse.up();
    await expect(palette).toBeVisible();

    // The second click of a double click on the opener does not close the palette.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Commands' }).dblclick();
    await expect(palette).toBeVisible();
    await page.keyboard.press('Escape');
    await console.leaveTerminal(key);
    await page.keyboard.press('Control+Shift+P');

    const button = await centreOf(page.getByRole('button', { name: 'New process' }));
    await page.mouse.click(button.x, button.y);
    await expect(palette).toBeHidden();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await console.type(key, 'after\n');
    await agent.waitOutput(processId, 'before\r\nbefore\r\nafter\r\nafter\r\n');
  });
});

async function centreOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
