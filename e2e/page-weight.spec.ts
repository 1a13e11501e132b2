// Size of the page in bytes on the wire, since times depend on the machine; and parts that cannot be loaded.
import { ConsolePage, expect, test } from './fixtures.ts';

/** Maximum number of compressed bytes loaded before the page can be used. */
const MOST_BYTES = 300_000;

test('the first load is small, and other parts load on demand', async ({ agent, gateway, page }) => {
  // Modules that load when the page is idle would be counted only in some runs.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'requestIdleCallback'));
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const urls = new Map<string, string>();
  const loaded: { url: string; bytes: number }[] = [];
  network.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    loaded.push({ url: urls.get(requestId) ?? '', bytes: encodedDataLength }),
  );
  const { key } = await agent.start(['/bin/cat'], { tty: true });
  const console = await ConsolePage.of(page, gateway);
  await expect(console.row(key)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const text = loaded.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`).join('\n');
  expect(text).toContain('index-');
  expect(
    loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    text,
  ).toBeLessThan(MOST_BYTES);
  expect(text).not.toMatch(/terminal-session|webgl|dialog|\/qr-|link-notes/);
  await console.open(key);
  await expect.poll(() => loaded.some(({ url }) => url.includes('terminal-session'))).toBe(true);
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(loaded.some(({ url }) => url.includes('settings-dialog'))).toBe(true);
});

test('[AU32] a part of the page that cannot be loaded is reported, and opens once it can be', async ({
  console,
}) => {
  const { page } = console;
  await page.route('**/settings-dialog*', (route) => route.abort());
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('alert')).toContainText('The settings could not be loaded');
  await page.unroute('**/settings-dialog*');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('[AU32] a view that still cannot be loaded after a reconnection is tried once, and the page advises a reload', async ({
  console,
  gateway,
}) => {
  const { page } = console;
  let requests = 0;
  await page.route('**/assets/wall-*.js', (route) => {
    requests += 1;
    return route.abort();
  });
  await gateway.kill();
  await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
  await page.getByRole('button', { name: 'Wall' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('because the page is not connected');
  const before = requests;
  const again = await gateway.startAgain();
  await console.isOnline();
  await expect(alert).toHaveText(
    'The wall could not be loaded. The gateway may have been updated: reload the page.',
  );
  expect(requests).toBe(before + 1);
  await again.stop();
});

test('[AU32] a view that cannot be loaded is reported in its place, and is shown after a reconnection', async ({
  console,
  gateway,
}) => {
  const { page } = console;
  await gateway.kill();
  await expect(console.connection).not.toHaveAttribute('data-connection-state', 'online');
  await page.getByRole('button', { name: 'Wall' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'The wall could not be loaded, because the page is not connected.',
  );
  const again = await gateway.startAgain();
  await console.isOnline();
  await expect(page.getByRole('main').getByRole('alert')).toBeHidden();
  await expect(page.getByText('New processes appear here, live.')).toBeVisible();
  await again.stop();
});
