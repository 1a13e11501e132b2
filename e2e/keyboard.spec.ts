// Work by keyboard alone: start, open, split, move, zoom, search, interrupt, terminate, close.
import { expect, test } from './fixtures.ts';

test('the keyboard alone leads from an empty page to two processes side by side and back', async ({
  console,
}) => {
  const { page } = console;
  const { keyboard } = page;
  const start = async (command: string): Promise<string> => {
    const known = await page.evaluate(() => window.execConsole.processes().map(({ key }) => key));
    await keyboard.press('n');
    await expect(page.getByRole('dialog')).toBeVisible();
    await keyboard.type(command);
    await keyboard.press('Enter');
    const key = await page.waitForFunction(
      (before) => window.execConsole.processes().find((process) => !before.includes(process.key))?.key,
      known,
    );
    const started = String(await key.jsonValue());
    await expect(console.pane(started).locator('textarea')).toBeFocused();
    return started;
  };
  const leaveTerminal = (): Promise<void> => keyboard.press('Control+Shift+L');
  const one = await start('cat');
  await keyboard.type('first\n');
  await console.shows(one, 'first\nfirst');
  await leaveTerminal();
  await keyboard.press('Control+Shift+L');
  await expect(console.row(one)).toBeFocused();
  const two = await start('seq 1 30; echo needle; cat');
  await console.shows(two, 'needle');

  await leaveTerminal();
  await keyboard.press('Control+Alt+Shift+ArrowRight');
  await expect(page.getByRole('tablist')).toHaveCount(2);
  await expect(console.pane(two).locator('textarea')).toBeFocused();
  await leaveTerminal();
  await keyboard.press('Control+Shift+ArrowLeft');
  await expect(console.pane(one).locator('textarea')).toBeFocused();

  await leaveTerminal();
  await keyboard.press('Control+Shift+Enter');
  await expect(console.pane(two)).toBeHidden();
  await leaveTerminal();
  await keyboard.press('Control+Shift+Enter');
  await expect(console.pane(two)).toBeVisible();

  await leaveTerminal();
  await keyboard.press('Control+Shift+P');
  await keyboard.type('resize');
  await keyboard.press('Enter');
  await expect(page.getByRole('separator', { name: 'Divider between panes' })).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('separator', { name: 'Divider between panes' })).toHaveAttribute(
    'aria-valuenow',
    '53',
  );
  await keyboard.press('Control+Shift+ArrowRight');
  await expect(console.pane(two).locator('textarea')).toBeFocused();

  await leaveTerminal();
  await keyboard.press('Control+Shift+F');
  await keyboard.type('needle');
  await expect(console.pane(two).getByRole('search').getByRole('status')).toHaveText(/1 of/);
  await keyboard.press('Escape');
  await expect(console.pane(two).locator('textarea')).toBeFocused();

  await leaveTerminal();
  await keyboard.press('Control+Alt+Shift+ArrowLeft');
  await expect(page.getByRole('tablist')).toHaveCount(1);
  await expect(page.getByRole('tab')).toHaveText([/^cat/, /needle/]);
  await leaveTerminal();
  await keyboard.press('Control+Shift+P');
  await keyboard.type('tab left');
  await keyboard.press('Enter');
  await expect(page.getByRole('tab')).toHaveText([/needle/, /^cat/]);
  await leaveTerminal();
  await keyboard.press('Control+Shift+PageUp');
  await expect(console.pane(one).locator('textarea')).toBeFocused();
  await keyboard.press('Control+c');
  await expect(console.row(one)).toHaveAttribute('data-process-status', 'stopped');

  // Terminate needs the key twice, so that a single key meant for a terminal does nothing.
  await leaveTerminal();
  await keyboard.press('Control+Shift+L');
  await page.keyboard.press('/');
  await keyboard.type('needle');
  await keyboard.press('Enter');
  await expect(console.row(two)).toBeFocused();
  await keyboard.press('x');
  await keyboard.press('x');
  await expect(console.row(two)).toHaveAttribute('data-process-status', 'stopped');

  await keyboard.press('Escape');
  for (const _ of [one, two]) await keyboard.press('Control+Shift+X');
  await expect(page.getByRole('tab')).toHaveCount(0);
  await expect(console.row(two)).toBeFocused();
});

test('a key reaches either the program or the page', async ({ console, agent }) => {
  await test.step('a key of the page never reaches a program, even where it has no effect', async () => {
    const script = 'stty -icanon -echo; echo ready; exec cat -v';
    const { key, processId } = await agent.start(['/bin/sh', '-c', script], { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    await pane.locator('.xterm-screen').click();
    const { keyboard } = console.page;
    await keyboard.press('Control+Shift+L');
    // A single pane and tab leave nothing to zoom, to go to or to move.
    for (const arrow of ['Left', 'Right', 'Up', 'Down'])
      await keyboard.press(`Control+Alt+Shift+Arrow${arrow}`);
    await keyboard.press('Control+Shift+Enter');
    await keyboard.press('Control+Shift+PageDown');
    await expect(pane).toBeFocused();
    await keyboard.press('Enter');
    await keyboard.press('x');
    await agent.waitOutput(processId, 'x');
    expect(agent.output(processId).toString().replaceAll('\r', '')).toBe('ready\nx');
  });
  await test.step('keys of editors and shells reach the terminal', async () => {
    const { page } = console;
    const key = await console.start('stty raw -echo; echo ready; cat -v');
    await console.shows(key, 'ready');
    await page.keyboard.press('Control+k');
    for (const typed of ['j', '?', '/', 'n', 'w']) await page.keyboard.press(typed);
    await page.keyboard.press('Alt+f');
    await page.keyboard.press('Control+w');
    await page.keyboard.press('Escape');
    await console.shows(key, '^Kj?/nw^[f^W^[');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('the key that leads to the list, pressed twice, leaves the keyboard with the page', async () => {
    const { key, processId } = await agent.start(['/bin/sh', '-c', 'echo ready; exec cat'], { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    await pane.locator('.xterm-screen').click();
    const { keyboard } = console.page;
    await keyboard.press('Control+Shift+l');
    await keyboard.press('Control+Shift+l');
    await keyboard.press('w');
    await expect(console.page.locator('.wall')).toBeVisible();
    await keyboard.press('Control+Shift+g');
    await expect(pane).toBeVisible();
    await console.type(key, 'typed\n');
    await agent.waitOutput(processId, 'typed\r\ntyped');
    expect(agent.output(processId).toString()).not.toContain('w');
  });
});
