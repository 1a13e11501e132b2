// The dialog of shares and tokens: a refused revocation is reported where it happened, and is not lost with the dialog;
// the gateway's own tokens have no age.
import { it } from 'vitest';
import type { ShareInfo, TokenInfo } from '../../../protocol/access.ts';
import { expect, newPage } from '../../testing/page.ts';

const SHARE: ShareInfo = {
  id: 's',
  key: null,
  madeBy: 'Ada',
  isOwn: true,
  createdAtMs: 0,
  expiresAtMs: Date.now() + 3_600_000,
  connected: 0,
};
const TOKEN: TokenInfo = {
  id: 't',
  name: 'builds',
  role: 'agent',
  kind: 'token',
  createdAtMs: 0,
  expiresAtMs: null,
  lastSeenAtMs: null,
  connected: 0,
  isOwn: false,
};

it.each([
  ['share', 'console/revokeShare', /^Revoke the share/],
  ['token', 'console/revokeToken', /^Revoke builds/],
] as const)(
  'a %s that cannot be revoked is reported in the dialog, and on the page once it is closed',
  async (_what, method, name) => {
    const page = newPage();
    page.gateway.role = 'admin';
    page.gateway.people = [{ connection: 'c1', token: 'o', name: 'Ada', role: 'admin', sinceMs: 0 }];
    page.gateway.answer('console/shares', () => ({ shares: [SHARE] }));
    page.gateway.answer('console/tokens', () => ({ tokens: [TOKEN] }));
    page.gateway.answer(method, () => new Error('the disk is full'));
    await page.load();
    await page.getByRole('button', { name: '1 person' }).click();
    await page.getByRole('button', { name: 'Access and tokens' }).click();
    const dialog = page.getByRole('dialog', { name: 'Access and tokens' });
    await dialog.getByRole('button', { name }).click();
    await dialog.getByRole('group').getByRole('button', { name: 'Revoke' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The disk is full');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('alert')).toContainText('The disk is full');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

it('only tokens that the gateway has created show when', async () => {
  const page = newPage();
  page.gateway.role = 'admin';
  page.gateway.people = [{ connection: 'c1', token: 'o', name: 'Ada', role: 'admin', sinceMs: 0 }];
  page.gateway.answer('console/shares', () => ({ shares: [] }));
  const own: TokenInfo = { ...TOKEN, id: 'f', name: 'token file', kind: 'gateway' };
  page.gateway.answer('console/tokens', () => ({ tokens: [own, TOKEN] }));
  await page.load();
  await page.getByRole('button', { name: '1 person' }).click();
  await page.getByRole('button', { name: 'Access and tokens' }).click();
  const tokens = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
  await expect(tokens.filter({ hasText: 'builds' })).toContainText(/created .* ago, not used since/);
  await expect(tokens.filter({ hasText: 'token file' })).toContainText('not used since the gateway started');
  await expect(tokens.filter({ hasText: 'token file' })).not.toContainText('created');
});
