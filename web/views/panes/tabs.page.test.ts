// Tabs: what each key and click opens, selects and closes.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';

it('each click opens another tab, and no tab replaces another', async () => {
  const page = await newPage().load();
  const { keyboard } = page;
  const [one, two, three] = ['1001', '1002', '1003'].map(
    (name) => page.agent.start(['/bin/sleep', name]).key,
  ) as [string, string, string];
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name},`) });
  for (const key of [one, two, three]) await page.open(key);
  await expect(page.getByRole('tab')).toHaveCount(3);
  await expect(page.pane(one)).toBeHidden();
  await page.row(one).click();
  await expect(page.getByRole('tab')).toHaveCount(3);
  await expect(page.pane(one)).toBeVisible();
  await expect(tab('sleep 1001')).toHaveAttribute('aria-selected', 'true');

  await tab('sleep 1001').focus();
  await keyboard.press('ArrowRight');
  await expect(tab('sleep 1002')).toBeFocused();
  await expect(page.pane(two)).toBeVisible();
  await keyboard.press('Delete');
  await expect(page.getByRole('tab')).toHaveCount(2);
  await expect(page.pane(three)).toBeVisible();
  await tab('sleep 1001').click({ button: 'middle' });
  await expect(page.getByRole('tab')).toHaveCount(1);
  await expect(page.row(one)).toHaveAttribute('data-process-status', 'running');
});
