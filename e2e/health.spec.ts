// The gateway's health: one warning per change, with advice, shown until it is dismissed or resolved.
import type { WebSocketRoute } from '@playwright/test';
import { ConsolePage, expect, expectAccessible, test } from './fixtures.ts';

const NO_SANDBOX = 'Commands that request a sandbox are refused: install the package bubblewrap';
const NO_ROOM = 'The record of who did what cannot be written: make room on the disk';

test('each change of the gateway’s health is shown and announced once', async ({ page, gateway, pageOf }) => {
  let socket: WebSocketRoute | undefined;
  await page.routeWebSocket(/.*/, (route) => {
    route.connectToServer();
    socket = route;
  });
  const become = (...reasons: string[]): void => {
    const status = reasons.length > 0 ? 'degraded' : 'ok';
    socket?.send(JSON.stringify({ method: 'console/changed', params: { gateway: { status, reasons } } }));
  };
  await ConsolePage.of(page, gateway);
  const notice = page.getByRole('status', { name: 'Gateway' });
  const warning = page.getByRole('group', { name: 'Gateway health' });
  await expect(notice).toHaveAttribute('data-gateway-status', 'ok');
  await expect(warning).toHaveCount(0);

  become(NO_SANDBOX);
  await expect(warning).toContainText('install the package bubblewrap');
  await expect(notice).toHaveText(`The gateway is degraded: ${NO_SANDBOX}.`);
  await expectAccessible(page);
  await warning.getByRole('button', { name: 'Dismiss' }).click();
  await expect(warning).toHaveCount(0);

  become(NO_SANDBOX, NO_ROOM);
  await expect(warning).toContainText('make room on the disk');
  await expect(warning).toContainText('install the package bubblewrap');
  await expect(notice).toHaveText(`The gateway is degraded: ${NO_ROOM}.`);

  await page.getByRole('button', { name: 'New process' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New process' });
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Sandbox').selectOption('Read-only, no network');
  await expect(dialog.getByRole('alert')).toContainText('install the package bubblewrap');
  await dialog.getByLabel('Sandbox').selectOption('None');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Escape');

  become(NO_SANDBOX);
  await expect(notice).toHaveText(`Resolved: ${NO_ROOM}.`);
  become();
  await expect(warning).toHaveText('The gateway has recovered');
  await expect(notice).toHaveText('The gateway has recovered.');
  await warning.getByRole('button', { name: 'Dismiss' }).click();
  await expect(warning).toHaveCount(0);

  // A page that is opened when the gateway is healthy announces nothing.
  const other = (await pageOf('Ada')).page.getByRole('status', { name: 'Gateway' });
  await expect(other).toHaveAttribute('data-gateway-status', 'ok');
  await expect(other).toHaveText('');
});
