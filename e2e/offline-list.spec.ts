// The list while the page is offline shows the last known state, with stopped clocks.
import { ConsolePage, expect, test } from './fixtures.ts';

test('a row shows the last known state while offline, and its time stops', async ({
  agent,
  gateway,
  network,
  page,
}) => {
  await page.clock.install();
  await page.goto(network.through(gateway.pageUrl));
  const console = new ConsolePage(page);
  await console.isOnline();
  const { key } = await agent.start(['sleep', '1000']);
  const done = await agent.start(['true']);
  const row = console.row(key);
  const time = row.locator('.process-row-time');
  await expect(row).toContainText('running');
  await expect(console.row(done.key)).toHaveAttribute('data-exit-code', '0');
  await page.clock.fastForward(61_000);
  await expect(time).toHaveText(/^1m 0/);

  network.cut();
  await expect(console.connection).toHaveAttribute('data-connection-state', 'waiting');
  await expect(row).toContainText('last known: running');
  await expect(console.row(done.key)).not.toContainText('last known');
  await expect(page.locator('.process-group-title')).toContainText('last known: 1 running');
  await expect(row.locator('.status-dot')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  const before = (await time.textContent()) ?? '';
  // Other parts of the page keep working.
  await page.clock.fastForward(120_000);
  await console.row(done.key).click();
  await expect(console.pane(done.key)).toBeVisible();
  await expect(time).toHaveText(before);
  expect(await row.textContent()).not.toMatch(/idle [2-9]m/);

  network.heal();
  await page.clock.fastForward(120_000);
  await console.isOnline();
  await expect(row).not.toContainText('last known');
  await expect(page.locator('.process-group-title')).not.toContainText('last known');
  await expect(time).not.toHaveText(before);
});

test('a failure that is opened offline stays unseen until its output is shown', async ({
  agent,
  proxied,
  network,
}) => {
  const { key } = await agent.start(['/bin/sh', '-c', 'echo broken; exit 1']);
  await expect(proxied.row(key)).toContainText('unseen');
  network.cut();
  await expect(proxied.connection).toHaveAttribute('data-connection-state', 'waiting');
  await proxied.open(key);
  await expect(proxied.row(key)).toContainText('unseen');
  network.heal();
  await proxied.isOnline();
  await proxied.shows(key, 'broken');
  await expect(proxied.row(key)).not.toContainText('unseen');
});

test('a stopped gateway is shown as not responding, clocks stop, and its buttons are disabled', async ({
  agent,
  gateway,
  console,
}) => {
  const { key } = await agent.start(['sleep', '1000'], { tty: true });
  const pane = await console.open(key);
  await expect(pane.getByRole('button', { name: 'Terminate' })).toBeEnabled();
  gateway.child.kill('SIGSTOP');
  try {
    await expect(console.connection).toHaveText(/^Not responding for \d+s$/);
    await expect(console.connection).toHaveAttribute('data-connection-state', 'silent');
    for (const name of ['Interrupt', 'Terminate', 'Take control'])
      await expect(pane.getByRole('button', { name })).toBeDisabled();
    await expect(console.page.getByRole('button', { name: 'New process' }).first()).toBeDisabled();
    await expect(console.row(key)).toContainText('last known: running');
    const time = console.row(key).locator('.process-row-time');
    const before = (await time.textContent()) ?? '';
    const since = await console.connection.textContent();
    // The page's own clock keeps running.
    await expect(console.connection).not.toHaveText(since ?? '');
    await expect(time).toHaveText(before);
  } finally {
    gateway.child.kill('SIGCONT');
  }
  await console.isOnline();
  await expect(pane.getByRole('button', { name: 'Terminate' })).toBeEnabled();
  await expect(console.row(key)).not.toContainText('last known');
});
