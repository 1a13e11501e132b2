// Palette: processes are distinguishable, and the highlighted result stays the same.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

it('a waiting process is marked, and processes of the same name are distinguished', async () => {
  const page = await newPage().load();
  const asks = page.agent.start(sh('printf "Sure? "; read x'), { tty: true });
  asks.asks('Sure? ');
  for (let index = 0; index < 2; index += 1) page.agent.start(['/bin/sleep', '1000']);
  await expect(page.row(asks.key)).toContainText('waiting for input');
  await page.keyboard.press('Control+Shift+P');
  const options = page.getByRole('dialog', { name: 'Commands and processes' }).getByRole('option');
  await page.keyboard.type('sure');
  await expect(options.first().locator('.status-icon.waiting')).toBeVisible();
  await page.getByRole('combobox', { name: 'Find a command or a process' }).fill('sleep 1000');
  await expect(options.filter({ hasText: /PID \d+/ })).toHaveCount(2);
});

it('the selected result stays the same while processes start', async () => {
  const page = await newPage().load();
  const first = page.agent.start(['sleep', '1111']);
  await expect(page.row(first.key)).toBeVisible();
  await page.getByRole('button', { name: 'Commands' }).click();
  const palette = page.getByRole('dialog', { name: 'Commands and processes' });
  await page.keyboard.type('sleep');
  const chosen = palette.locator('[role="option"][aria-selected="true"]');
  await expect(chosen).toContainText('sleep 1111');
  page.agent.start(['sleep', '2222']);
  await expect(palette.getByRole('option').first()).toContainText('sleep 2222');
  await expect(chosen).toContainText('sleep 1111');
  await page.keyboard.press('Enter');
  await expect(page.pane(first.key)).toBeVisible();
});
