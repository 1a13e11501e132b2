// The list with many rows: a short Needs attention, and the filter.
import { expect, expectAccessible, sh, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('with fourteen running and nine failed, failures fold to one line that marks all of them as seen', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const running = [];
  for (let i = 0; i < 14; i += 1) running.push(await agent.start(SLEEP));
  for (let i = 0; i < 9; i += 1) await agent.start(sh(`exit ${i + 1}`));
  const needs = page.getByRole('row', { name: 'Needs attention' });
  await expect(needs).toContainText('9 failed');
  await page.mouse.move(720, 880);
  const newest = console.row(running.at(-1)?.key ?? '');
  await expect(newest).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveTitle('(9) exec-console');
  const more = page.getByRole('row', { name: '6 more failed' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(needs).toHaveCount(0);
  await expect(page).toHaveTitle('exec-console');
  await expect(page.getByRole('button', { name: 'Failed 9' })).toBeVisible();
  await page.reload();
  await expect(newest).toBeVisible();
  await expect(needs).toHaveCount(0);
});

test('the filter finds a command by its options, and what finds nothing says why and is cleared with one press', async ({
  agent,
  console,
}) => {
  const { page } = console;
  const options = await agent.start(['sleep', '1000', '-q'], { arg0: 'sleep' });
  const other = await agent.start(SLEEP);
  await expect(console.row(other.key)).toBeVisible();
  const field = page.getByLabel('Filter processes');
  await field.fill('sleep -q');
  await expect(console.row(options.key)).toBeVisible();
  await expect(console.row(other.key)).toBeHidden();
  await field.fill('!-q sleep');
  await expect(console.row(other.key)).toBeVisible();
  await expect(console.row(options.key)).toBeHidden();
  await field.fill('sleep -x');
  await expect(page.getByText('No process matches “-x”.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(field).toBeFocused();
  await expect(console.row(other.key)).toBeVisible();
});
