// Control of a terminal, as its pane shows it.
import { it } from 'vitest';
import type { Person } from '../../../protocol/activity.ts';
import { expect, newPage } from '../../testing/page.ts';

it('control in another tab of the same person is shown as such', async () => {
  const page = newPage();
  const tab = (connection: string): Person => ({
    connection,
    token: 'own',
    name: 'page',
    role: 'operator',
    sinceMs: 1,
  });
  page.gateway.people = [tab('c1'), tab('other tab')];
  await page.load();
  const { fake, key } = page.agent.start(['bash'], { tty: true });
  const pane = await page.open(key);
  page.gateway.fake.setController(fake, 'other tab');
  await expect(pane.getByText('You are in control in another tab', { exact: true })).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Take control' })).toHaveAttribute('aria-pressed', 'false');
});

it('the controller of a process with pipes is not shown, since it has no terminal', async () => {
  const page = await newPage().load();
  const { fake, key } = page.agent.start(['cat'], { tty: false, pipeStdin: true });
  const pane = await page.open(key);
  page.gateway.fake.setController(fake, 'elsewhere');
  const later = page.agent.start(['later']);
  await expect(page.row(later.key)).toBeVisible();
  await expect(pane.getByText('in control')).toHaveCount(0);
});
