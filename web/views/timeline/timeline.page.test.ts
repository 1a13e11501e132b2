// History timeline: lanes, texts and keys. The drawing and the pointer are tested in a browser.
import { it } from 'vitest';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { expect, newPage } from '../../testing/page.ts';

function entry(key: string, agoMs: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  const startedAtMs = Date.now() - agoMs;
  return {
    ...processInfo({
      key,
      argv: [key],
      startedAtMs,
      exitedAtMs: startedAtMs + 1000,
      state: 'closed',
      exitCode: 0,
    }),
    startedBy: 'token',
    recordedBytes: 1,
    clientName: 'codex',
    ...more,
  };
}

async function pageWithHistory(more: readonly HistoryEntry[] = []) {
  const page = newPage();
  const entries = [
    ...more,
    entry('third', 10_000, { metadata: { threadId: 'b' } }),
    entry('second', 20_000, { metadata: { threadId: 'a' }, exitCode: 1 }),
    entry('first', 30_000, { metadata: { threadId: 'a' } }),
  ];
  page.gateway.answer('console/history', ({ failed }) => ({
    processes: failed === true ? entries.filter(({ exitCode }) => exitCode !== 0) : entries,
    before: null,
  }));
  await page.load();
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  const timeline = dialog.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText('Codex · thread 2');
  return { page, dialog, timeline };
}

it('the timeline names its lanes, and counts failures in each', async () => {
  const { dialog, timeline } = await pageWithHistory();
  await expect(timeline).toContainText('Codex · thread 12 · 1 failed');
  await dialog.getByRole('button', { name: 'Failed', exact: true }).click();
  await expect(timeline).toContainText('Codex · thread 11 · 1 failed');
  await expect(timeline).not.toContainText('thread 2');
});

it('the timeline is navigated with the arrow keys, announces the position, and Enter opens a process', async () => {
  const { page, dialog, timeline } = await pageWithHistory();
  const status = timeline.getByRole('status');
  await timeline.getByRole('group', { name: 'Processes over time' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(status).toContainText(/^first, succeeded, started \d\d:\d\d:\d\d, took 1s$/);
  await page.keyboard.press('ArrowRight');
  await expect(status).toContainText('second, failed · exit 1');
  await page.keyboard.press('ArrowDown');
  await expect(status).toContainText('third, succeeded');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect(status).toContainText('first, succeeded');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.pane('first')).toBeVisible();
});

it('the timeline announces how long a process has run so far, unless it is lost', async () => {
  const running = entry('running', 5000, { state: 'running', exitedAtMs: null, exitCode: null });
  const lastOutputAtMs = running.startedAtMs - 2000;
  const lost = entry('lost', 9000, { state: 'lost', exitedAtMs: null, exitCode: null, lastOutputAtMs });
  const { page, timeline } = await pageWithHistory([running, lost]);
  const status = timeline.getByRole('status');
  await timeline.getByRole('group', { name: 'Processes over time' }).focus();
  await page.keyboard.press('End');
  await expect(status).toContainText(/^running, running, started \d\d:\d\d:\d\d, \d+s so far$/);
  await page.keyboard.press('ArrowLeft');
  await expect(status).toContainText(/^lost, lost, started \d\d:\d\d:\d\d, took 2s$/);
});

it('the rows show only processes within the visible span of the timeline', async () => {
  const { page, dialog, timeline } = await pageWithHistory();
  const rows = dialog.locator('button.history-row');
  await expect(rows).toHaveCount(3);
  await timeline.getByRole('group', { name: 'Processes over time' }).focus();
  await page.keyboard.press('ArrowRight');
  for (let count = 0; count < 6; count += 1) await page.keyboard.press('+');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('first');
  await timeline.getByRole('button', { name: 'Show all listed processes' }).click();
  await expect(rows).toHaveCount(3);
});
