// The result in the search bar of a pane when a part of the lines could not be read or not be searched.
import { it } from 'vitest';
import { NOTHING_FOUND, type PaneMatches } from '../state/processes/searchable.ts';
import { NOTHING_YET } from '../state/processes/terminal-state.ts';
import { expect, newPage } from '../testing/page.ts';

it('the search bar of a pane shows that some recordings could not be read, or earlier lines were not searched', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(['make'], { tty: false });
  const pane = await page.open(key);
  await pane.getByRole('button', { name: 'Search in this pane' }).click();
  await pane.getByRole('textbox', { name: 'Search for' }).fill('error');
  // Loading the page resets the modules, so a static import would return another instance of the store.
  const { setTerminalState } = await import('../state/processes/process-store.ts');
  const found = (matches: Partial<PaneMatches>): void =>
    setTerminalState(key, { ...NOTHING_YET, matches: { ...NOTHING_FOUND, hasUnread: true, ...matches } });
  found({});
  const result = pane.locator('.search-count');
  await expect(result).toHaveText('No results · some recordings could not be read');
  found({ index: 1, count: 1200, hidden: 3 });
  await expect(result).toHaveText('2 of 1,200 (3 hidden: stderr only) · some recordings could not be read');
  found({ recorded: 'searching', searched: 0.4 });
  await expect(result).toHaveText('Searched 40% · some recordings could not be read');
  found({ hasUnread: undefined, hasUnsearched: true });
  await expect(result).toHaveText('No results · earlier lines were not searched');
});
