// A marker that a person inserts into a log.
import { it } from 'vitest';
import { expect, newPage, sh } from '../../testing/page.ts';

it('an inserted marker is between the earlier and the later output', async () => {
  const page = await newPage().load();
  const process = page.agent.start(sh('echo before; read go; echo after'), { pipeStdin: true });
  process.prints('before\n');
  const pane = await page.open(process.key);
  const rows = pane.locator('.log-row:not(.log-probe):not([hidden])');
  await expect(rows).toHaveText([/before$/]);
  await pane.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Insert marker/ }).click();
  process.prints('after\n');
  await expect(rows).toHaveText([/before$/, /marker · \d+:\d\d/, /after$/]);
});
