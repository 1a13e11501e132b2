// Notes about recordings that are removed while the page shows them: panes, replays, search results and lists.
import { it } from 'vitest';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import { expect, newPage, type TestPage } from '../../testing/page.ts';

/** Loads a page whose history has these processes of an earlier gateway, the newest first. */
async function pageWithPast(
  commands: readonly string[],
): Promise<{ page: TestPage; entries: readonly HistoryEntry[]; history: HistoryEntry[] }> {
  const page = newPage();
  const entries = commands.map((command, at): HistoryEntry => {
    const startedAtMs = Date.now() - 60_000 * (at + 1);
    const process = page.agent.start([command], { tty: true, startedAtMs });
    process.prints(`output of ${command}\r\n`);
    process.ends(0);
    const info = { ...process.info, startedAtMs, exitedAtMs: startedAtMs + 1000 };
    return { ...info, recordedBytes: 1, clientName: 'codex' };
  });
  const history = [...entries];
  const { watched } = page.gateway.fake;
  page.gateway.fake.watched = () => ({ ...watched(), processes: [] });
  page.gateway.answer('console/history', ({ key }) => ({
    processes: key === undefined ? history : history.filter((entry) => entry.key === key),
    before: null,
  }));
  page.gateway.answer('console/historySearch', () => ({
    hits: history.map(({ key }, at): HistoryHit => ({
      key,
      line: 1,
      text: 'output',
      start: 0,
      end: 6,
      atMs: 1,
      offset: at,
      seq: 1,
    })),
    processes: history,
    searchedBytes: 1,
    unreadableBytes: 0,
    totalBytes: 1,
    before: null,
  }));
  await page.load();
  return { page, entries, history };
}

function remove(page: TestPage, keys: readonly string[], who: string, isComplete = true): void {
  for (const key of keys) page.gateway.fake.processes.delete(key);
  const recordings = keys.map((key) => ({ key, who }));
  page.gateway.fake.notifyAll({ recordingsRemoved: { recordings, isComplete } });
}

async function opened(page: TestPage, { key, argv }: HistoryEntry) {
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog
    .getByRole('listitem')
    .getByRole('button', { name: argv[0] ?? '' })
    .click();
  await expect(page.pane(key)).toHaveAttribute('data-output-complete', 'true');
  return page.pane(key);
}

it('a pane whose recording is removed shows that, and cannot be replayed', async () => {
  const { page, entries } = await pageWithPast(['make']);
  const [entry] = entries as [HistoryEntry];
  const pane = await opened(page, entry);
  remove(page, [entry.key], 'Ada');
  await expect(pane.locator('.pane-strip')).toHaveText(
    'Ada removed this recording; the pane shows only what this page received',
  );
  await pane.focus();
  await page.keyboard.press('p');
  await expect(pane.locator('.replay')).toHaveCount(0);
});

it('the hidden pane of a removed recording shows that when its tab is selected', async () => {
  const { page, entries } = await pageWithPast(['make', 'lint']);
  const [one, two] = entries as [HistoryEntry, HistoryEntry];
  await opened(page, one);
  await opened(page, two);
  await page.reload();
  await expect(page.pane(two.key)).toBeVisible();
  remove(page, [one.key], 'gateway');
  await page.getByRole('tab', { name: /make/ }).click();
  await expect(page.pane(one.key)).toContainText(
    'The gateway removed this recording to stay within its limits.',
  );
});

it('a replay of a removed recording keeps its screen, and offers only to be closed', async () => {
  const { page, entries } = await pageWithPast(['make']);
  const [entry] = entries as [HistoryEntry];
  const { startedAtMs: fromMs, key } = entry;
  page.gateway.answer('process/recording', () => ({
    fromMs,
    toMs: fromMs + 1000,
    binMs: 100,
    bins: [0],
    binBytes: [5],
    marks: [],
    isCut: false,
  }));
  page.gateway.answer('process/moment', () => ({
    isReached: true,
    drawnMs: fromMs,
    seq: 1,
    frameMs: fromMs,
    rows: 24,
    cols: 80,
    data: '',
    exact: true,
  }));
  const pane = await opened(page, entry);
  await pane.focus();
  await page.keyboard.press('p');
  const replay = pane.getByRole('group', { name: 'Replay' });
  await expect(replay.getByRole('slider')).toBeFocused();
  remove(page, [key], 'Ada');
  await expect(pane.locator('.pane-strip')).toContainText('Ada removed this recording');
  await expect(replay.getByRole('button')).toHaveCount(1);
  await expect(replay.getByRole('button', { name: 'Close replay' })).toBeFocused();
  await expect(pane.getByRole('alert')).toHaveCount(0);
  await replay.getByRole('button', { name: 'Close replay' }).click();
  await expect(replay).toHaveCount(0);
});

it('a removed recording disappears from the history and from its search', async () => {
  const { page, entries } = await pageWithPast(['make', 'lint', 'test']);
  const [one, two] = entries as [HistoryEntry, HistoryEntry];
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await expect(dialog.locator('.history-status')).toContainText('3 processes');
  remove(page, [one.key, 'unknown'], 'gateway');
  await expect(dialog.locator('.history-status')).toContainText('2 processes');
  await expect(dialog).not.toContainText('make');
  await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('output');
  await expect(dialog.locator('.history-status')).toContainText('3 lines');
  remove(page, [two.key], 'gateway');
  await expect(dialog.locator('.history-status')).toContainText('2 lines');
  await expect(dialog).not.toContainText('lint');
});

it('a list offers to be reloaded after very many recordings were removed', async () => {
  const { page, entries, history } = await pageWithPast(['make', 'lint']);
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await expect(dialog.locator('.history-status')).toContainText('2 processes');
  history.splice(0);
  remove(page, [entries[0]?.key ?? ''], 'Ada', false);
  await expect(dialog.getByRole('alert')).toContainText('Many recordings were removed');
  await expect(dialog.locator('.history-status')).toContainText('1 process');
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.locator('.history-status')).toContainText('Nothing is recorded yet');
});

it('an open pane notices a removal that was not listed, or happened while the page was offline', async () => {
  const { page, entries, history } = await pageWithPast(['make', 'lint']);
  const [one, two] = entries as [HistoryEntry, HistoryEntry];
  const pane = await opened(page, one);
  history.splice(0, 1);
  remove(page, [], 'Ada', false);
  await expect(pane.locator('.pane-strip')).toContainText('This recording was removed');
  const other = await opened(page, two);
  history.splice(0);
  page.gateway.fake.processes.delete(two.key);
  page.gateway.fake.socket.cut();
  await expect(other.locator('.pane-strip')).toContainText('This recording was removed');
});

it('stepping through search results skips lines of removed recordings', async () => {
  const { page, entries } = await pageWithPast(['make', 'lint', 'test']);
  const [one, two, three] = entries as [HistoryEntry, HistoryEntry, HistoryEntry];
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('output');
  await dialog.locator('.history-hit').first().click();
  const bar = page.getByRole('region', { name: 'Search results' });
  await expect(bar.getByRole('status')).toHaveText('1 of 3');
  remove(page, [one.key, two.key], 'Ada');
  await expect(bar).toContainText('Recording removed');
  await bar.getByRole('button', { name: 'Next search result' }).click();
  await expect(page.pane(three.key)).toBeVisible();
  await expect(bar.getByRole('status')).toHaveText('3 of 3');
  await expect(bar.getByRole('button', { name: 'Previous search result' })).toBeDisabled();
  await expect(bar).not.toContainText('Recording removed');
});
