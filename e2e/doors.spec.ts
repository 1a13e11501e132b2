// Sign-in in a real browser: the link works only once, and the page works over TLS.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeTestCertificate } from '../server/testing/test-certificate.ts';
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

test.describe('with TLS', () => {
  test.use({ ignoreHTTPSErrors: true });

  test('the page works as over HTTP, under the name in the certificate', async ({ page }) => {
    const dir = mkdtempSync(join(tmpdir(), 'exec-console-tls-'));
    const { certPath, keyPath } = writeTestCertificate(dir, 'console.localhost');
    const flags = ['--tls-cert', certPath, '--tls-key', keyPath];
    const gateway = await Gateway.start({ flags });
    try {
      expect(gateway.pageUrl).toMatch(/^https:\/\/console\.localhost:\d+\/#code=/);
      const sockets: string[] = [];
      page.on('websocket', (socket) => sockets.push(socket.url()));
      const console = await ConsolePage.of(page, gateway);
      const key = await console.start('echo over-tls; read x');
      await console.shows(key, 'over-tls');
      expect(sockets).toEqual([expect.stringMatching(/^wss:\/\/console\.localhost:/)]);
      const headers = (await page.reload())?.headers() ?? {};
      expect(headers['strict-transport-security']).toMatch(/^max-age=/);
      await console.isOnline();
    } finally {
      await gateway.stop();
      rmSync(dir, { recursive: true });
    }
  });
});
