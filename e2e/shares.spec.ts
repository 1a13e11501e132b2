// Share links, and tokens created in the page: the access they give, and how they end.
import { expect, expectAccessible, sh, test } from './fixtures.ts';
import { TestClient } from '../server/testing/test-client.ts';

test('a share of one process shows only that process, and ends for its guests when it is revoked', async ({
  agent,
  browser,
  console,
}) => {
  const { key, processId } = await agent.start(['/bin/cat'], { tty: true });
  await agent.start(sh('echo hidden-from-guests; cat'), {
    tty: true,
    metadata: { threadId: 'hidden-thread' },
  });
  const pane = await console.open(key);
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await pane.getByRole('menuitem', { name: 'Share this process' }).click();
  const dialog = console.page.getByRole('dialog', { name: 'Share this process' });
  await dialog.getByRole('radio', { name: '8 hours' }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const url = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await expectAccessible(console.page);

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(url);
  await expect(guest.getByText('Read-only, shared with you · expires in 7h 59m')).toBeVisible();
  await expect(guest.locator('.pane')).toHaveCount(1);
  await agent.write({ processId }, 'seen by guests\n');
  await expect(guest.locator('.pane .xterm-rows')).toContainText('seen by guests');
  expect(guest.url()).not.toContain('share');
  for (const name of ['New process', 'Commands', 'Wall', 'Terminate', 'Interrupt', 'Close tab']) {
    await expect(guest.getByRole('button', { name })).toHaveCount(0);
  }
  await guest.keyboard.press('w');
  await guest.getByRole('button', { name: 'More', exact: true }).click();
  await expect(guest.getByRole('menuitem', { name: /Close|Open|Share|Start|Kill/ })).toHaveCount(0);
  await guest.getByRole('menuitem', { name: 'About this process' }).click();
  await expect(guest.getByRole('dialog')).toContainText('cat');
  await expectAccessible(guest);
  await guest.keyboard.press('Escape');
  await guest.reload();
  await expect(guest.locator('.pane .xterm-rows')).toContainText('seen by guests');
  const known = await guest.evaluate(() => JSON.stringify(window.execConsole.processes()));
  expect(known).toContain(key);
  expect(known).not.toContain('hidden');

  await expect(dialog.getByText('1 guest')).toBeVisible();
  await dialog.getByRole('button', { name: 'Revoke the share' }).click();
  await dialog
    .getByRole('group', { name: 'Revoke this share, and disconnect 1 guest?' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(guest.getByRole('heading', { name: 'This share has ended' })).toBeVisible();
  await expectAccessible(guest);
  const again = await guest.context().newPage();
  await again.goto(url);
  await expect(again.getByRole('heading', { name: 'This share has ended' })).toBeVisible();
  await expect(dialog.getByText('1 guest')).toBeHidden();
  await guest.context().close();
});

test('a token that an admin creates in the page lets an agent connect until it is revoked; an operator only shares', async ({
  browser,
  console,
  gateway,
}) => {
  const operators = console.page.getByRole('dialog', { name: 'Access and tokens' });
  await console.page.getByRole('button', { name: '1 person' }).click();
  await console.page.getByRole('button', { name: 'Access and tokens' }).click();
  await expect(operators.getByText('exec-console link --role admin', { exact: true })).toBeVisible();
  await expect(operators.getByRole('button', { name: 'New token' })).toHaveCount(0);

  const page = await (await browser.newContext()).newPage();
  await page.goto(await gateway.freshLink('admin'));
  await page.getByRole('button', { name: '2 people' }).click();
  await page.getByRole('button', { name: 'Access and tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Access and tokens' });
  await dialog.getByRole('button', { name: 'New token' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('cli');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByRole('alert')).toContainText('reserved for the gateway');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('builds');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const line = await dialog.getByRole('textbox', { name: 'Command that starts Codex' }).inputValue();
  const [, url = ''] = /^CODEX_EXEC_SERVER_URL='(ws:[^']+)' codex$/.exec(line) ?? [];
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const agent = await TestClient.open(url);
  await agent.initialize();
  await agent.start(['/bin/true']);
  const row = dialog.getByRole('listitem').filter({ hasText: 'builds' });
  await expect(row).toContainText('connected now');
  await row.getByRole('button', { name: 'Revoke builds' }).click();
  await row.getByRole('group').getByRole('button', { name: 'Revoke' }).click();
  expect(await agent.waitClose()).toMatchObject({ code: 4401 });
  await expect(row).toHaveCount(0);
  await page.context().close();
});
