// Keys of the list and of the page: double presses, moves between rows, help and search.
import { it } from 'vitest';
import { expect, newPage } from '../testing/page.ts';

it('a double press acts only when both presses are on the same row', async () => {
  const page = await newPage().load();
  const [one, other] = [page.agent.start(['sleep', '1000']), page.agent.start(['sleep', '1001'])];
  await page.row(one.key).focus();
  await page.keyboard.press('x');
  await page.row(other.key).focus();
  await page.keyboard.press('x');
  await page.row(one.key).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  await expect(page.row(one.key)).toContainText(/terminated by \S+/);
  await expect(page.row(other.key)).toHaveAttribute('data-process-status', 'running');
});

it('the keys j, G and g g move through the list, and v opens a row beside the open pane', async () => {
  const page = await newPage().load();
  const { keyboard } = page;
  const keys = [0, 1, 2, 3].map(
    (index) => page.agent.start(['/bin/sh', '-c', `sleep 1000 # ${index}`], { tty: true }).key,
  );
  await expect(page.locator('[role="row"][data-process-key]')).toHaveCount(4);
  const [last, , , first] = keys as [string, string, string, string];
  await keyboard.press('j');
  await expect(page.row(first)).toBeFocused();
  await keyboard.press('G');
  await expect(page.row(last)).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.pane(last)).toBeFocused();
  await keyboard.press('Control+Shift+L');
  await keyboard.press('g');
  await keyboard.press('g');
  await expect(page.row(first)).toBeFocused();
  await keyboard.press('v');
  await expect(page.pane(first)).toBeFocused();
  await expect(page.pane(last)).toBeVisible();
  await keyboard.press('Control+Shift+L');
  await keyboard.press('w');
  await expect(page.getByRole('list', { name: 'Running processes' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.pane(first)).toBeFocused();
});

it('a held key does not count as pressed twice', async () => {
  const page = await newPage().load();
  const { key } = page.agent.start(['/bin/sleep', '1000']);
  await page.row(key).focus();
  await page.keyboard.hold('x', 5);
  // Had the held key terminated the process, its end would have arrived before this start.
  const later = page.agent.start(['/bin/true']);
  await expect(page.row(later.key)).toBeAttached();
  await expect(page.row(key)).toHaveAttribute('data-process-status', 'running');
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  await expect(page.row(key)).toHaveAttribute('data-process-status', 'stopped');
});

it('the button “Shortcuts” opens the keyboard help', async () => {
  const page = await newPage().load();
  await page.getByRole('button', { name: 'Shortcuts ?' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

it('the keys j, k, Enter and / move, fold, open and filter in the list', async () => {
  const page = await newPage().load();
  const { keyboard } = page;
  const first = page.agent.start(['cat', 'one'], { tty: true });
  const second = page.agent.start(['cat', 'two'], { tty: true });
  await page.row(second.key).focus();
  await keyboard.press('j');
  await expect(page.row(first.key)).toBeFocused();
  await keyboard.press('k');
  await expect(page.row(second.key)).toBeFocused();
  await keyboard.press('k');
  const title = page.locator('.process-group-title');
  await expect(title).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(title).toHaveAttribute('aria-expanded', 'false');
  await keyboard.press('Enter');
  await expect(title).toHaveAttribute('aria-expanded', 'true');
  await keyboard.press('End');
  await expect(page.row(first.key)).toBeFocused();
  await keyboard.press('/');
  await keyboard.type('cat\n');
  await keyboard.press('Home');
  await expect(page.row(second.key)).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.pane(second.key)).toBeVisible();
  await expect(page.pane(first.key)).toHaveCount(0);
});

it('Ctrl+F on the row of a hidden tab shows its pane, with the search in it', async () => {
  const page = await newPage().load();
  const [one, other] = [
    page.agent.start(['sleep', '1000'], { tty: true }),
    page.agent.start(['sleep', '1001']),
  ];
  await page.open(one.key);
  await page.open(other.key);
  await expect(page.pane(one.key)).toBeHidden();
  await page.row(one.key).focus();
  await page.keyboard.press('Control+f');
  await expect(page.pane(one.key).getByRole('textbox', { name: /^Search/ })).toBeFocused();
});
