// The list with many rows: a short "Needs attention" section, and the filter.
import { expect, expectAccessible, sh, SOON_WAITING, test } from './fixtures.ts';

const SLEEP = ['sleep', '1000'];

test('nine failures beside fourteen running processes fold to one line that marks them all as seen', async ({
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

test('the filter explains itself, and a confirmation names its process within the row', async ({
  agent,
  console,
}) => {
  await test.step('the filter finds a command by its options, and a filter without results explains why and clears with one press', async () => {
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
  await test.step("the confirmation of a row names what a second press ends, within the row's focus ring", async () => {
    const { page } = console;
    const { key } = await agent.start(sh(`: ${'a long command '.repeat(9)}; exec sleep 1000`));
    await console.row(key).focus();
    await page.keyboard.press('x');
    const [row, note] = [
      await console.row(key).boundingBox(),
      await page.locator('.row-again').boundingBox(),
    ];
    const rightOf = (box: typeof row): number => (box ? box.x + box.width : Number.NaN);
    expect(rightOf(row) - rightOf(note)).toBeGreaterThanOrEqual(10);
  });
});

test.describe(() => {
  test.use({ limits: SOON_WAITING });

  test('a group heading shows its whole name, and omits counts that have no room', async ({
    agent,
    console,
  }) => {
    const { page } = console;
    for (let i = 0; i < 12; i += 1) await agent.start(SLEEP);
    for (let i = 0; i < 10; i += 1) await agent.start(sh('exit 1'));
    for (let i = 0; i < 10; i += 1) await agent.start(['true']);
    for (let i = 0; i < 2; i += 1) await agent.start(sh('printf "Go on? "; read x'), { tty: true });
    const title = page.locator('.process-group-title[data-session]');
    await expect(title).toContainText('2 waiting · 12 running · 10 failed · 34 total');
    const name = title.locator('.process-group-name');
    expect(await name.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    await expect(title.getByText('2 waiting')).toBeInViewport({ ratio: 1 });
    await expect(title.getByText('34 total')).not.toBeInViewport();
  });
});
