// A start that waits for approval: its row, its pane, and its way out of both.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';

it('a start that waits for approval is waiting everywhere, has not started, and says how to decide', async () => {
  const page = await newPage().load();
  const held = page.agent.start(['rm', '-r', 'build\u202e']);
  held.tell({ state: 'waiting-for-approval', tty: true });
  await expect(page.getByRole('row', { name: 'Needs attention' })).toContainText('1 waiting');
  await expect(page.getByRole('button', { name: /^Running/ })).toHaveCount(0);
  const row = page.row(held.key);
  await expect(row).toContainText('waiting for approval');
  await row.click();
  const pane = page.locator('.pane.held-pane, .pane:has(.held-pane)');
  await expect(pane).toContainText('It has not started.');
  await expect(pane).toContainText('\\u202e');
  await expect(pane).toContainText(`exec-console approve ${held.key}`);
  await expect(pane.getByRole('button', { name: 'Interrupt' })).toHaveCount(0);
  await expect(pane.getByRole('button', { name: 'Terminate' })).toHaveCount(0);
});
