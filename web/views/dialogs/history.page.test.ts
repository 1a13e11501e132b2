// The search in the history: the number of lines found.
import { it } from 'vitest';
import type { HistoryHit } from '../../../protocol/history.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { expect, newPage } from '../../testing/page.ts';

it('the history shows the number of lines found with a separator', async () => {
  const page = newPage();
  const entry = { ...processInfo({ key: 'k' }), recordedBytes: 1, clientName: 'codex' };
  const hits = Array.from({ length: 1200 }, (_, at): HistoryHit => {
    const line = at + 1;
    return { key: 'k', line, text: 'x', start: 0, end: 1, atMs: 1, offset: 2 * at, seq: line };
  });
  page.gateway.answer('console/history', () => ({ processes: [entry], before: null }));
  page.gateway.answer('console/historySearch', () => ({
    hits,
    processes: [entry],
    searchedBytes: 1,
    totalBytes: 1,
    before: null,
  }));
  await page.load();
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog.getByRole('textbox', { name: 'Search in recorded output' }).fill('x');
  await expect(dialog.getByRole('status')).toContainText('1,200 lines · 100% searched');
});
