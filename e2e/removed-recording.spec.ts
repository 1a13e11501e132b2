// Removal of a recording in one tab while another tab shows it: in a pane, in a replay and in the history.
import type { HistoryResult } from '../protocol/history.ts';
import { WITHOUT_KEEPER } from '../server/testing/keeper-tests.ts';
import { ConsolePage, expect, expectAccessible, sh, test } from './fixtures.ts';
import { Gateway } from './gateway.ts';

test('a recording that an admin removes in one tab is shown as removed in another', async ({
  page,
  browser,
}) => {
  const first = await Gateway.start({ flags: ['--approvals', 'never', ...WITHOUT_KEEPER] });
  const agent = await first.agent();
  for (const script of ['seq 200; echo replayed', 'seq 200; echo shown', 'echo left']) {
    const { processId } = await agent.start(sh(script), { tty: true });
    await agent.request('process/wait', { processId, until: 'closed', waitMs: 30_000 });
  }
  const listed = async () => (await agent.request<HistoryResult>('console/history', {})).processes;
  await expect
    .poll(async () => (await listed()).filter(({ recordedBytes }) => recordedBytes > 0).length)
    .toBe(3);
  const [, shown, replayed] = await listed();
  await first.kill();
  const next = await first.startAgain(WITHOUT_KEEPER);
  const [shownKey, replayedKey] = [shown?.key ?? '', replayed?.key ?? ''];
  try {
    const remover = await (await browser.newContext()).newPage();
    await remover.goto(await next.freshLink('admin', 'Ada'));
    const viewer = new ConsolePage(page);
    await page.goto(await next.freshLink('operator', 'Bo'));
    await viewer.isOnline();
    const history = page.getByRole('dialog', { name: 'History' });
    const rows = history.locator('button.history-row');
    for (const command of ['echo replayed', 'echo shown']) {
      await page.getByRole('button', { name: 'History' }).click();
      await rows.filter({ hasText: command }).click();
    }
    await expect(viewer.pane(shownKey)).toContainText('200');
    await page.getByRole('tab', { name: /replayed/ }).click();
    await viewer.leaveTerminal(replayedKey);
    await page.keyboard.press('p');
    const replay = viewer.pane(replayedKey).getByRole('group', { name: 'Replay' });
    await expect(replay.getByRole('slider')).toBeFocused();
    await page.keyboard.press('End');
    await expect(viewer.pane(replayedKey).locator('.replay-screen')).toContainText('replayed');

    await remover.getByRole('button', { name: 'History' }).click();
    const remove = async (command: string): Promise<void> => {
      const dialog = remover.getByRole('dialog', { name: 'History' });
      const row = dialog.getByRole('listitem').filter({ hasText: command });
      await row.getByRole('button', { name: 'Remove the recording of', exact: false }).click();
      await remover.getByRole('button', { name: 'Remove recording', exact: true }).click();
      await expect(row).toHaveCount(0);
    };
    await remove('echo replayed');
    await test.step('the replay keeps its screen, and can only be closed', async () => {
      const text = 'Ada removed this recording; the pane shows only what this page received';
      await expect(viewer.pane(replayedKey).locator('.pane-strip')).toHaveText(text);
      await expect(viewer.pane(replayedKey).locator('.replay-screen')).toContainText('replayed');
      await expect(replay.getByRole('button')).toHaveCount(1);
      await expect(replay.getByRole('button', { name: 'Close replay' })).toBeFocused();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect(viewer.pane(replayedKey)).toContainText('replayed');
    });
    await test.step('the row disappears from the open history', async () => {
      await page.getByRole('button', { name: 'History' }).click();
      await expect(rows).toHaveCount(2);
      await remove('echo shown');
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText('echo left');
      await history.getByRole('button', { name: 'Close' }).click();
    });
    await test.step('the pane keeps its output', async () => {
      await page.getByRole('tab', { name: /shown/ }).click();
      await expect(viewer.pane(shownKey).locator('.pane-strip')).toContainText('Ada removed this recording');
      await expect(viewer.pane(shownKey)).toContainText('200');
    });
    await remover.close();
  } finally {
    await next.stop();
  }
});
