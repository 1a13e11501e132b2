// Nobody without proof, in a real browser.
import { expect, test } from '@playwright/test';
import { ConsolePage, test as withConsole } from './fixtures.ts';
import { Gateway } from './gateway.ts';

withConsole(
  'the link works once, and its code leaves the address bar',
  async ({ console, gateway, browser }) => {
    expect(console.page.url()).not.toContain('code');
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(gateway.pageUrl);
    await expect(stranger.locator('[data-connection-state="online"]')).toHaveCount(0);
    await expect(stranger.getByRole('main')).toContainText(/link/i);
  },
);

test('a page without a credential shows how to get in, and nothing else', async ({ page }) => {
  const gateway = await Gateway.start();
  try {
    await page.goto(new URL('/', gateway.pageUrl).href);
    await expect(page.getByRole('main')).toContainText(/link/i);
    expect(await new ConsolePage(page).connection.count()).toBeLessThanOrEqual(1);
    await expect(page.getByRole('row')).toHaveCount(0);
  } finally {
    await gateway.stop();
  }
});
