// Links from the page to the commands that connect an agent, and to the approval settings before approvals are on.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';
import { PageApprovals } from '../../testing/page-approvals.ts';

it('the palette and the empty page lead to one command for each kind of agent', async () => {
  const page = await newPage().load();
  const dialog = page.getByRole('dialog', { name: 'Connect an agent' });
  for (const word of ['claude', 'codex', 'gemini', 'opencode', 'cursor', 'vscode', 'mcp', 'agent', 'token']) {
    await page.keyboard.press('Control+Shift+P');
    const found = page.getByRole('listbox', { name: 'Results' });
    await page.getByRole('combobox').fill(word);
    await expect(found).toContainText('Connect an agent …');
    await page.keyboard.press('Escape');
  }
  await page
    .locator('.overview')
    .getByRole('button', { name: /^Claude Code, Gemini CLI/ })
    .click();
  await expect(dialog).toContainText('CODEX_EXEC_SERVER_URL=');
  for (const kind of ['claude', 'gemini', 'opencode', 'cursor', 'vscode'])
    await expect(dialog).toContainText(`npx exec-console connect ${kind}`);
  await dialog.getByRole('button', { name: /^Copy/ }).first().click();
  await expect(dialog.locator('.page-done')).toHaveText('Copied');
  await expect(page.locator('.page-done')).toHaveCount(1);
});

it('the settings show which starts need approval, and lead to the approval settings', async () => {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  approvals.settings = { ...approvals.settings, policy: 'never' };
  page.gateway.answer('console/rules', () => ({ files: [], changed: [], tightened: null }));
  await page.load();
  await page.getByRole('button', { name: 'Settings' }).click();
  const line = page.getByRole('group', { name: 'Approvals' });
  await expect(line).toContainText('never ask');
  await line.getByRole('button', { name: 'Change …' }).click();
  await expect(page.getByRole('dialog', { name: 'Approval settings' })).toBeVisible();
});
