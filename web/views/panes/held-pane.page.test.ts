// A start that is waiting for approval: its row, its pane, and its removal from both.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';
import { PageApprovals } from '../../testing/page-approvals.ts';

it('a start that is waiting for approval counts as waiting, has not started, and can be decided in its pane', async () => {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  await page.load();
  const held = page.agent.start(['rm', '-r', 'build\u202e']);
  approvals.ask({ id: held.key, argv: ['rm', '-r', 'build\u202e'] });
  held.report({ state: 'waiting-for-approval', tty: true });
  await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText('1 waiting');
  await expect(page.getByRole('button', { name: /^Running/ })).toHaveCount(0);
  const row = page.row(held.key);
  await expect(row).toContainText('waiting for approval');
  await row.click();
  const pane = page.locator('.pane:has(.held-pane)');
  await expect(pane).toContainText('It has not started.');
  await expect(pane).toContainText('\\u202e');
  await expect(pane.getByRole('button', { name: 'Interrupt' })).toHaveCount(0);
  await expect(pane.getByRole('button', { name: 'Terminate' })).toHaveCount(0);
  const once = pane.getByRole('button', { name: 'Approve once' });
  await expect(once).toHaveAttribute('aria-disabled', 'false');
  await once.click();
  await expect.poll(() => approvals.decisions).toEqual([{ id: held.key, decision: 'accept' }]);
  await expect(pane).toContainText('Approved once');
});
