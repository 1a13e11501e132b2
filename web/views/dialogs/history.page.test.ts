// The history: lines found, recordings that were removed meanwhile, and the next step after a failed page or removal.
import { it } from 'vitest';
import type { HistoryHit } from '../../../protocol/history.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { expect, newPage } from '../../testing/page.ts';

it('the history shows the number of lines found with a separator, and that some recordings could not be read', async () => {
  const page = newPage();
  const entry = { ...processInfo({ key: 'k' }), recordedBytes: 1, clientName: 'codex' };
  const hits = Array.from({ length: 1200 }, (_, at): HistoryHit => {
    const line = at + 1;
    const isAfterGap = at === 1199;
    return { key: 'k', line, isAfterGap, text: 'x', start: 0, end: 1, atMs: 1, offset: 2 * at, seq: line };
  });
  page.gateway.answer('console/history', () => ({ processes: [entry], before: null }));
  page.gateway.answer('console/historySearch', ({ query }) => ({
    hits: query === 'none' ? [] : hits,
    processes: [entry],
    searchedBytes: 1,
    unreadableBytes: 0,
    totalBytes: 1,
    isComplete: false,
    before: null,
  }));
  await page.load();
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('x');
  await expect(dialog.locator('.history-status')).toContainText(
    '1,200 lines · 100% searched · some recordings could not be read',
  );
  // Numbers are as in the log, where those after a gap are counted from there.
  await expect(dialog.locator('.history-line').first()).toHaveText('1');
  await expect(dialog.locator('.history-line').last()).toHaveText('+1200');
  await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('none');
  await expect(dialog.locator('.history-status')).toContainText('No results · 100% searched');
});

it('a process whose recording was removed after it was listed has a pane with the reason', async () => {
  const page = newPage();
  const entry = { ...processInfo({ key: 'k', state: 'closed' }), recordedBytes: 1, clientName: 'codex' };
  page.gateway.answer('console/history', () => ({ processes: [entry], before: null }));
  await page.load();
  await page.getByRole('button', { name: 'History' }).click();
  await page
    .getByRole('dialog', { name: 'History' })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click();
  await expect(page.getByText('This process no longer exists')).toContainText('its recording was removed');
});

it('the history continues after a failed page, and after a refused removal', async () => {
  const page = newPage();
  page.gateway.role = 'admin';
  const info = processInfo({ key: 'k', state: 'closed', exitCode: 0 });
  const entry = { ...info, recordedBytes: 1, clientName: 'codex' };
  let isBroken = true;
  page.gateway.answer('console/history', ({ before }) => {
    if (before === undefined) return { processes: [entry], before: 'b' };
    return isBroken ? new Error('the disk is busy') : { processes: [], before: 'c' };
  });
  page.gateway.answer('console/historyRemove', () => new Error('it is still running'));
  await page.load();
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  const problem = dialog.getByRole('alert');
  await expect(dialog.locator('.history-status')).toContainText('newest first');
  await dialog.getByRole('button', { name: 'Show earlier processes' }).click();
  await expect(problem).toHaveText('The disk is busy');
  isBroken = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(problem).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('button', { name: 'Remove recording', exact: true }).click();
  await expect(problem).toContainText('It is still running');
  await expect(dialog.getByRole('button', { name: 'Show earlier processes' })).toBeVisible();
});
