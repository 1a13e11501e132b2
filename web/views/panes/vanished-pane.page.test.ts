// The pane of a link to a process that the list does not have.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';

const KEY = 'a-key_16letters0';
const REASON = `process ${KEY} cannot be opened: the facts of this recording are damaged`;

it.each([
  [{ processes: [], before: null }, 'This process no longer exists.'],
  [new Error(REASON), `P${REASON.slice(1)}.`],
])('a process that cannot be opened has a pane with the reason', async (answer, text) => {
  location.hash = `#${KEY}:L1`;
  const page = newPage();
  page.gateway.answer('console/history', () => answer);
  await page.load();
  const pane = page.locator('.pane[data-process-status="lost"]');
  await expect(pane.locator('p')).toHaveText(text);
});
