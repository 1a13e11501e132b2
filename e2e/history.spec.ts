// History in the page: processes from before a restart of the gateway, in order, with their failures,
// searched and opened.
import type { HistoryResult } from '../protocol/history.ts';
import { ConsolePage, expect, expectAccessible, sh, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';

test('history shows processes from before a restart, finds the failed test and its error, and opens it there', async ({
  page,
}) => {
  const first = await Gateway.start({ flags: ['--approvals', 'never', ...WITHOUT_KEEPER] });
  const agent = await first.agent();
  for (const script of ['echo built', 'seq 30000; echo "Error: lost the plot"; exit 7', 'echo later']) {
    const { processId } = await agent.start(sh(script));
    await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
  }
  const listed = async () => (await agent.request<HistoryResult>('console/history', {})).processes;
  await expect
    .poll(async () => (await listed()).filter(({ recordedBytes }) => recordedBytes > 0).length)
    .toBe(3);
  await first.kill();
  const next = await first.startAgain(WITHOUT_KEEPER);
  try {
    const console = new ConsolePage(page);
    await page.goto(await next.freshLink('admin'));
    await console.isOnline();
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    const rows = dialog.locator('button.history-row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0)).toContainText('echo later');
    await expect(rows.nth(2)).toContainText('echo built');
    await expectAccessible(page);

    await dialog.getByRole('button', { name: 'Failed', exact: true }).click();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('exit 7');
    await expect(rows.locator('.history-last')).toHaveText('Error: lost the plot');
    await dialog.getByRole('button', { name: 'Failed', exact: true }).click();
    await dialog.getByRole('button', { name: 'Last 10m' }).click();
    await expect(rows).toHaveCount(3);

    await dialog.getByRole('button', { name: 'Remove the recording of', exact: false }).nth(2).click();
    const question = page.getByRole('dialog', { name: 'Remove this recording?' });
    await expect(question).toContainText('echo built');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(rows).toHaveCount(3);
    await dialog.getByRole('button', { name: 'Remove the recording of', exact: false }).nth(2).click();
    await question.getByRole('button', { name: 'Remove recording' }).click();
    await expect(rows).toHaveCount(2);
    await expect(dialog).toBeVisible();

    await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('lost the PLOT');
    const hits = dialog.locator('button.history-hit');
    await expect(hits).toHaveCount(1);
    await expect(hits).toContainText('30001');
    await expect(dialog.locator('.history-status')).toContainText('100% searched');
    await hits.click();
    await expect(dialog).toBeHidden();
    const [{ key } = { key: '' }] = await page.evaluate(() => window.execConsole.processes());
    await expect(console.pane(key)).toContainText('Error: lost the plot');
    await expect(console.pane(key)).toContainText('exit 7');
  } finally {
    await next.stop();
  }
});
