// The pane's message for a refused restart.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

it('the restart of a process that the gateway has forgotten is refused with an explanation', async () => {
  const page = await newPage().load();
  page.gateway.refuse('process/restart', -32020, 'unknown process key');
  const process = page.agent.start(sh('echo once'));
  process.ends();
  const pane = await page.open(process.key);
  await pane.getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText('The gateway no longer knows this process').first()).toBeVisible();
  await expect(page.getByText('unknown process key')).toHaveCount(0);
});
